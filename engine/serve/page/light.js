/* Light that does not depend on the eye: cast shadows of a low sun and the share of the sky that a place
 * sees. */
const SUN = [-0.5, 0.56, -0.6].map((v) => v / hypot(0.5, 0.56, 0.6)); /* to the sun: east, up, south */

const light_grid = (heights, w, h, most) => {
    const part = max(1, ceil(max(w, h) / most)),
        nx = floor(w / part),
        ny = floor(h / part);
    if (part === 1) return { z: heights, nx, ny };
    const z = new Float32Array(nx * ny);
    for (let y = 0; y < ny; y++)
        for (let x = 0; x < nx; x++) z[y * nx + x] = heights[y * part * w + x * part];
    return { z, nx, ny };
};
/* A sweep away from the sun, row by row: S is the height of the shadow above each cell. */
const sweep = (z, nx, ny, scale, tangent, into, weight) => {
    const across = SUN[0] / SUN[2],
        near = 1 - across,
        fall = tangent * hypot(1, across);
    let before = new Float32Array(nx).fill(-1e9),
        now = new Float32Array(nx);
    for (let y = 1; y < ny; y++) {
        const above = (y - 1) * nx,
            row = y * nx;
        let left = -1e9;
        for (let x = 0; x < nx; x++) {
            const here = max(z[above + x] * scale, before[x]),
                s = x ? left * across + here * near - fall : -1e9;
            left = here;
            now[x] = s;
            const lit = (z[row + x] * scale - s) / 1.2 + 0.6;
            if (lit < 1) into[row + x] -= weight * (1 - max(0, lit));
        }
        [before, now] = [now, before];
    }
};
const halve = ({ z, nx, ny }) => {
    const w = max(1, nx >> 1),
        h = max(1, ny >> 1),
        o = new Float32Array(w * h);
    for (let y = 0; y < h; y++)
        for (let x = 0; x < w; x++) {
            const i = 2 * y * nx + 2 * x,
                e = nx > 1 ? 1 : 0,
                s = ny > 1 ? nx : 0;
            o[y * w + x] = (z[i] + z[i + e] + z[i + s] + z[i + s + e]) * 0.25;
        }
    return { z: o, nx: w, ny: h };
};
/* How far the ground around stands above a place, seen at five distances: 1 for a plain, less in valleys. */
const see_sky = ({ z, nx, ny }, scale) => {
    const sky = new Float32Array(nx * ny).fill(1),
        levels = [{ z, nx, ny }];
    while (levels.length < 5) levels.push(halve(levels[levels.length - 1]));
    levels.forEach((level, k) => {
        const v = level.z,
            run = (8 << k) / scale;
        for (let y = 0, i = 0; y < ny; y++) {
            const cy = min(level.ny - 1, y >> k),
                north = max(0, cy - 2) * level.nx,
                south = min(level.ny - 1, cy + 2) * level.nx,
                row = cy * level.nx;
            for (let x = 0; x < nx; x++, i++) {
                const cx = min(level.nx - 1, x >> k),
                    west = max(0, cx - 2),
                    east = min(level.nx - 1, cx + 2),
                    up = (j) => max(0, v[j] - z[i]),
                    t = (up(row + west) + up(row + east) + up(north + cx) + up(south + cx)) / run;
                sky[i] *= 1 - (0.34 * t) / (t + 0.35);
            }
        }
    });
    return sky;
};
/* Two bytes a cell: the share of the sun's disk, the share of the sky. `rise` is the height of 1 in map
 * widths. */
const light_of = (heights, w, h, rise) => {
    const fine = light_grid(heights, w, h, 512),
        coarse = light_grid(heights, w, h, 256),
        { z, nx, ny } = fine;
    const sun = new Float32Array(nx * ny).fill(1),
        tangent = SUN[1] / hypot(SUN[0], SUN[2]);
    for (const t of [0.9, 1.1]) sweep(z, nx, ny, rise * nx, tangent * t, sun, 0.5);
    const sky = see_sky(coarse, rise * coarse.nx),
        bytes = new Uint8Array(nx * ny * 2),
        sx = coarse.nx / nx,
        sy = coarse.ny / ny;
    for (let y = 0, i = 0; y < ny; y++) {
        const row = floor(y * sy) * coarse.nx;
        for (let x = 0; x < nx; x++, i++) {
            bytes[2 * i] = sun[i] * 255;
            bytes[2 * i + 1] = sky[row + ((x * sx) | 0)] * 255;
        }
    }
    return { bytes, nx, ny };
};
