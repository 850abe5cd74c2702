/* What both viewers share: two grounds beside each other, parted by a wipe (0: now, 1: before), the hand, and
 * what is under the pointer. Nothing is drawn but on demand. */
class Viewer {
    constructor(canvas) {
        this.canvas = canvas;
        this.camera = new Camera();
        this.slots = [{}, {}];
        this.world = null;
        Object.assign(this, {
            wipe: 1,
            look: "relief",
            opacity: 0.85,
            water: true,
            exaggeration: 1,
            contour: 0,
            frames: 0,
            moving: 0,
            ondraw: () => {},
        });
        new ResizeObserver(() => {
            if (!this.camera.own) this.home();
            else this.dirty();
        }).observe(canvas);
        follow_hand(this, canvas);
    }
    /* ---- contents ---- */
    set_ground(index, { digest, size, least, greatest }, data) {
        const slot = this.slots[index],
            [w, h] = size;
        if (slot.key === digest) return;
        const snow = this.snow_line(data, least, greatest);
        Object.assign(slot, { key: digest, data, w, h, low: least, high: greatest, lit: 0, snow });
        this.upload(slot);
        this.dirty();
    }
    set_layer(index, { key, kind, data = null, w = 1, h = 1, range = [0, 1] }) {
        const slot = this.slots[index];
        if (slot.layer_key === key) return;
        Object.assign(slot, { layer_key: key, kind, layer: data, lw: w, lh: h, range });
        this.upload_layer(slot);
        this.dirty();
    }
    /* Snow is drawn on the highest 4 %: the share of the way up, above the sea where there is one. */
    snow_line(data, low, high) {
        const ground = max(low, this.sea() ?? low),
            bins = new Uint32Array(101),
            scale = 100 / max(1e-9, high - ground);
        let left = (data.length / 7) * 0.04,
            i = 100;
        for (let k = 0; k < data.length; k += 7) bins[max(0, ((data[k] - ground) * scale) | 0)]++;
        while (i > 0 && (left -= bins[i]) > 0) i--;
        return max(0.7, (i + 1) / 100);
    }
    clear(index) {
        if (!this.slots[index].data) return;
        Object.assign(this.slots[index], { data: null, key: "" });
        this.dirty();
    }
    /* The height of 1 in map widths, in truth where there is a world. */
    true_rise() {
        return this.world ? this.world.height_m / this.world.side_m : 0.2;
    }
    rise() {
        return this.true_rise() * this.exaggeration;
    }
    sea() {
        return this.water ? (this.world?.sea_level ?? null) : null;
    }
    base(slot) {
        return min(slot.low, this.sea() ?? slot.low) - 0.035 / this.rise();
    }
    aspect() {
        return this.canvas.clientWidth / max(1, this.canvas.clientHeight);
    }
    has_wipe() {
        return this.wipe < 1 && Boolean(this.slots[1].data);
    }
    pixel() {
        return (2 * this.camera.far * this.camera.frame(this.aspect()).ty) / max(1, this.canvas.clientHeight);
    }
    /* ---- drawing ---- */
    dirty() {
        if (this.waiting) return;
        this.waiting = true;
        requestAnimationFrame(() => {
            this.waiting = false;
            this.frames++;
            this.draw();
            this.ondraw();
        });
    }
    /* Size in pixels of the screen; coarser where `part` says so. */
    measure(part = 1) {
        const c = this.canvas,
            d = min(devicePixelRatio || 1, 2) * part,
            w = max(1, round(c.clientWidth * d)),
            h = max(1, round(c.clientHeight * d));
        if (c.width !== w || c.height !== h) {
            c.width = w;
            c.height = h;
        }
        return [w, h];
    }
    /* Parts of the picture, from x and of width n, and what each shows. */
    parts(w) {
        if (!this.has_wipe()) return [[this.slots[0], 0, w]];
        const cut = round(this.wipe * w);
        return [
            [this.slots[1], 0, cut],
            [this.slots[0], cut, w - cut],
        ].filter((p) => p[2] > 0);
    }
    home() {
        const s = this.slots[0];
        this.camera.reset();
        if (s.data)
            this.camera.fit(
                this.aspect(),
                this.base(s) * this.rise(),
                max(s.high, this.sea() ?? s.high) * this.rise(),
                s.h / s.w,
            );
        this.dirty();
    }
    /* ---- under the pointer ---- */
    sample(s, x, y) {
        const px = clamp(x * s.w - 0.5, 0, s.w - 1),
            py = clamp(y * s.h - 0.5, 0, s.h - 1),
            i = floor(px),
            j = floor(py),
            f = px - i,
            g = py - j;
        const I = min(s.w - 1, i + 1),
            J = min(s.h - 1, j + 1) * s.w,
            d = s.data;
        return (
            (d[j * s.w + i] * (1 - f) + d[j * s.w + I] * f) * (1 - g) +
            (d[J + i] * (1 - f) + d[J + I] * f) * g
        );
    }
    /* What stands at a pixel of the canvas, or null: the ray is followed through the ground's own grid. */
    pick(px, py) {
        const c = this.canvas,
            before = this.has_wipe() && px / c.clientWidth < this.wipe,
            s = this.slots[before ? 1 : 0];
        if (!s.data) return null;
        const { o, d } = this.camera.ray(
                this.aspect(),
                (px / c.clientWidth) * 2 - 1,
                1 - (py / c.clientHeight) * 2,
            ),
            z = this.rise(),
            depth = s.h / s.w;
        const on = (t) => [o[0] + d[0] * t, o[1] + d[1] * t, o[2] + d[2] * t],
            above = (p) => p[1] - this.sample(s, p[0] + 0.5, p[2] / depth + 0.5) * z;
        const [from, to] = this.span(o, d, s, z, depth),
            step = 0.7 / max(s.w, s.h) / max(1e-3, hypot(d[0], d[2]));
        for (let t = from; t <= to + step; t += step) {
            if (above(on(min(t, to))) > 0) continue;
            let a = max(from, t - step),
                b = min(t, to);
            for (let i = 0; i < 16; i++) {
                const m = (a + b) / 2;
                if (above(on(m)) <= 0) b = m;
                else a = m;
            }
            const q = on(b);
            return this.read(s, q[0] + 0.5, q[2] / depth + 0.5, before);
        }
        return null;
    }
    /* Where a ray is within the block of a ground. */
    span(o, d, s, z, depth) {
        let from = 0,
            to = 20;
        const low = [-0.5, s.low * z - 1e-5, -0.5 * depth],
            high = [0.5, s.high * z + 1e-5, 0.5 * depth];
        for (let i = 0; i < 3; i++) {
            if (abs(d[i]) < 1e-9) {
                if (o[i] < low[i] || o[i] > high[i]) return [1, 0];
                continue;
            }
            const a = (low[i] - o[i]) / d[i],
                b = (high[i] - o[i]) / d[i];
            from = max(from, min(a, b));
            to = min(to, max(a, b));
        }
        return from > to ? [1, -1] : [from, to];
    }
    read(s, x, y, before) {
        const at = (a, b) => this.sample(s, a, b),
            ex = min(1 / s.w, x, 1 - x) || 0.5 / s.w,
            ey = min(1 / s.h, y, 1 - y) || 0.5 / s.h;
        const gx = (at(x + ex, y) - at(x - ex, y)) / (2 * ex),
            gy = (((at(x, y + ey) - at(x, y - ey)) / (2 * ey)) * s.w) / s.h;
        const found = { x, y, height: at(x, y), rise: hypot(gx, gy), before, depth: s.h / s.w };
        found.slope = (Math.atan(found.rise * this.true_rise()) * 180) / Math.PI;
        if (s.layer instanceof Float32Array) {
            const i = min(s.lw - 1, floor(x * s.lw)),
                j = min(s.lh - 1, floor(y * s.lh));
            found.layer = s.layer[j * s.lw + i];
        }
        return found;
    }
    /* ---- the hand ---- */
    act(what) {
        what();
        this.moving = performance.now();
        this.dirty();
    }
    turn(dx, dy) {
        this.act(() => (this.camera.top ? this.camera.pan(dx, dy, this.pixel()) : this.camera.turn(dx, dy)));
    }
    pan(dx, dy) {
        this.act(() => this.camera.pan(dx, dy, this.pixel()));
    }
    zoom(factor) {
        this.act(() => this.camera.zoom(factor));
    }
}
