/* Where the eye is. The map is 1 wide around the origin, x to the east, z to the south, y up. */
const LENS = 0.32; /* tangent of half the angle of view along the shorter side */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => {
    const l = hypot(...a) || 1;
    return a.map((v) => v / l);
};
const multiply = (a, b) => {
    const o = new Array(16).fill(0);
    for (let c = 0; c < 4; c++)
        for (let r = 0; r < 4; r++) for (let k = 0; k < 4; k++) o[c * 4 + r] += a[k * 4 + r] * b[c * 4 + k];
    return o;
};

class Camera {
    constructor() {
        this.top = false;
        this.reset();
    }
    reset() {
        Object.assign(this, { yaw: 0.62, pitch: 0.56, far: 1.5, at: [0, 0, 0], own: false });
    }
    /* Right, up and back of the eye, tangents of half the picture, all for a picture of width / height
     * `aspect`. */
    frame(aspect) {
        const { yaw, pitch } = this,
            short = min(1, aspect);
        const f = this.top ? [0, 1, 0] : [cos(pitch) * sin(yaw), sin(pitch), cos(pitch) * cos(yaw)];
        const s = this.top ? [1, 0, 0] : [cos(yaw), 0, -sin(yaw)];
        return {
            s,
            u: cross(f, s),
            f,
            tx: (LENS * aspect) / short,
            ty: LENS / short,
            eye: this.at.map((v, i) => v + f[i] * (this.top ? 6 : this.far)),
        };
    }
    /* Moves so that a box of heights fills the picture but for its margins: two linear bounds a direction,
     * no search. */
    fit(aspect, low, high, depth, margin = 0.03) {
        const { s, u, f, tx, ty } = this.frame(aspect),
            middle = (low + high) / 2;
        if (this.top) {
            this.far = max(0.5 / tx, (0.5 * depth) / ty) * (1 + 2 * margin);
            this.at = [0, middle, 0];
            return;
        }
        const ax = tx * (1 - 2 * margin),
            ay = ty * (1 - 2 * margin),
            most = [-1e9, -1e9, -1e9, -1e9];
        for (const x of [-0.5, 0.5])
            for (const y of [low, high])
                for (const z of [-0.5 * depth, 0.5 * depth]) {
                    const p = [x, y, z],
                        ps = dot(p, s),
                        pu = dot(p, u),
                        away = -dot(p, f);
                    const sides = [ps - ax * away, -ps - ax * away, pu - ay * away, -pu - ay * away];
                    sides.forEach((v, i) => {
                        most[i] = max(most[i], v);
                    });
                }
        const back = max((most[0] + most[1]) / (2 * ax), (most[2] + most[3]) / (2 * ay)),
            es = (most[0] - most[1]) / 2,
            eu = (most[2] - most[3]) / 2;
        const eye = s.map((v, i) => v * es + u[i] * eu + f[i] * back);
        this.far = max(0.05, (eye[1] - middle) / f[1]);
        this.at = eye.map((v, i) => v - f[i] * this.far);
    }
    matrix(aspect) {
        const { s, u, f, tx, ty, eye } = this.frame(aspect),
            n = max(0.002, this.far * 0.02),
            r = this.far + 6;
        const look = [0, 1, 2].flatMap((i) => [s[i], u[i], f[i], 0]);
        look.push(-dot(s, eye), -dot(u, eye), -dot(f, eye), 1);
        const lens = this.top
            ? [1 / (this.far * tx), 0, 0, 0, 0, 1 / (this.far * ty), 0, 0, 0, 0, -1 / 12, 0, 0, 0, 0, 1]
            : [1 / tx, 0, 0, 0, 0, 1 / ty, 0, 0, 0, 0, (r + n) / (n - r), -1, 0, 0, (2 * r * n) / (n - r), 0];
        return multiply(lens, look);
    }
    /* Origin and direction of what is seen at shares X, Y of half the picture, -1 to 1, up. */
    ray(aspect, X, Y) {
        const { s, u, f, tx, ty, eye } = this.frame(aspect);
        if (this.top)
            return {
                o: eye.map((v, i) => v + (s[i] * X * tx + u[i] * Y * ty) * this.far),
                d: f.map((v) => -v),
            };
        return { o: eye, d: unit(f.map((v, i) => s[i] * X * tx + u[i] * Y * ty - v)) };
    }
    turn(dx, dy) {
        this.own = true;
        this.yaw -= dx * 0.006;
        this.pitch = clamp(this.pitch + dy * 0.006, 0.03, 1.55);
    }
    /* `pixel`: how much of the target's plane one pixel covers. */
    pan(dx, dy, pixel) {
        const f = this.frame(1).f,
            ahead = this.top ? [0, 0, 1] : unit([f[0], 0, f[2]]),
            s = this.top ? [1, 0, 0] : this.frame(1).s;
        this.own = true;
        this.at = this.at.map((v, i) => clamp(v - (s[i] * dx + ahead[i] * dy) * pixel, -1.5, 1.5));
    }
    zoom(factor) {
        this.own = true;
        this.far = clamp(this.far * factor, 0.03, 6);
    }
}
