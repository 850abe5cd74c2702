/* Without WebGL 2: the ground from above, shaded by the processor; the same interface as GroundGL. */
const LAND_AND_SNOW = [...RAMPS.land, [0.95, 0.97, 1]];
const DEEP = [0.07, 0.23, 0.36];
const SHALLOW = [0.28, 0.56, 0.62];
const blend = (a, b, share) => a.map((v, j) => v + (b[j] - v) * share);
const scale_colour = (c, factor) => c.map((v) => v * factor);
const along = (stops, v) => {
    const p = clamp(v, 0, 1) * (stops.length - 1),
        i = min(stops.length - 2, floor(p));
    return blend(stops[i], stops[i + 1], p - i);
};
const label_colour = (v) => {
    const hue = (round(v) * 0.61803398875) % 1;
    return [0, 1, 2].map((j) => 0.28 + 0.6 * abs(((hue + j / 3) % 1) * 2 - 1));
};
/* Sun and sky on a cell with these gradients, at shares u and v of the map. */
const light_at = ({ bytes, nx, ny }, gx, gy, u, v) => {
    const i = 2 * (floor(v * ny) * nx + floor(u * nx)),
        facing = (SUN[1] - gx * SUN[0] - gy * SUN[2]) / hypot(gx, 1, gy);
    return (max(0, facing) * 0.95 * bytes[i] + 0.45 * bytes[i + 1]) / 255;
};

class GroundFlat extends Viewer {
    constructor(canvas) {
        super(canvas);
        this.context = canvas.getContext("2d");
        this.camera.top = this.flat = true;
        this.renderer = "2-D canvas";
    }
    upload(slot) {
        slot.painted = null;
    }
    upload_layer(slot) {
        slot.painted = null;
        slot.pixels = null;
        if (!(slot.layer instanceof ImageBitmap)) return;
        const c = new OffscreenCanvas(slot.layer.width, slot.layer.height),
            x = c.getContext("2d");
        x.drawImage(slot.layer, 0, 0);
        slot.pixels = x.getImageData(0, 0, c.width, c.height);
    }
    look_colour(t, land, slope) {
        if (this.look === "relief") return land < 0 ? [0.62, 0.6, 0.5] : along(LAND_AND_SNOW, land);
        if (this.look === "clay") return [0.74, 0.73, 0.71];
        if (this.look === "colours") return along(RAMPS.height, t);
        if (this.look === "grey") return [t, t, t];
        const share =
            slope < 15 ? slope / 45 : slope < 35 ? 1 / 3 + (slope - 15) / 60 : 2 / 3 + (slope - 35) / 90;
        return along(RAMPS.slope, share);
    }
    layer_colour(slot, c, x, y) {
        const { width, height } = slot.pixels ?? { width: slot.lw, height: slot.lh },
            i = floor((y * height) / slot.h) * width + floor((x * width) / slot.w),
            a = this.opacity;
        if (slot.pixels)
            return blend(
                c,
                [0, 1, 2].map((j) => slot.pixels.data[i * 4 + j] / 255),
                a,
            );
        const v = slot.layer[i],
            [least, greatest] = slot.range,
            share = clamp((v - least) / max(greatest - least, 1e-9), 0, 1),
            grey = 0.3 * c[0] + 0.6 * c[1] + 0.1 * c[2];
        if (slot.kind === "labels") return blend(c, label_colour(v), a);
        return blend(blend(c, [grey, grey, grey], 0.8 * a), [0.94, 0.42, 0.1], share * a);
    }
    /* The colour of the cell x, y, in the order of what lies on what: look, layer, light, sea, contours. */
    cell_colour(slot, light, sea, x, y) {
        const { w, h, data, low, high } = slot,
            i = y * w + x,
            v = data[i],
            west = data[x ? i - 1 : i],
            north = data[y ? i - w : i],
            gx = (data[x < w - 1 ? i + 1 : i] - west) * 0.5 * w,
            gy = (data[y < h - 1 ? i + w : i] - north) * 0.5 * w,
            t = (v - low) / max(high - low, 1e-9),
            land = sea === null ? t : (v - sea) / max(high - sea, 1e-9),
            slope = Math.atan(hypot(gx, gy) * this.true_rise()) * 57.2958,
            level = (height) => floor(height / this.contour);
        let c = this.look_colour(t, land, slope),
            shine = light_at(light, gx * this.rise(), gy * this.rise(), x / w, y / h);
        if (slot.layer) c = this.layer_colour(slot, c, x, y);
        if (this.look === "grey") shine = 1;
        else if (slot.pixels) shine += (1 - shine) * this.opacity;
        if (v < sea && sea !== null) {
            const clear = exp((v - sea) * 12.6);
            c = blend(scale_colour(c, shine), blend(DEEP, SHALLOW, clear), 0.95 - 0.6 * clear);
            shine = 1;
        }
        if (this.contour && (level(v) !== level(west) || level(v) !== level(north))) shine *= 0.55;
        return scale_colour(c, shine * 255);
    }
    paint(slot) {
        const sea = this.sea(),
            { w, h, data } = slot,
            tag = [this.look, this.opacity, sea, this.rise(), this.contour, slot.layer_key].join();
        if (slot.painted && slot.tag === tag) return slot.painted;
        const image = new ImageData(w, h),
            light = light_of(data, w, h, this.rise());
        for (let y = 0; y < h; y++)
            for (let x = 0; x < w; x++)
                image.data.set([...this.cell_colour(slot, light, sea, x, y), 255], (y * w + x) * 4);
        slot.painted = new OffscreenCanvas(w, h);
        slot.painted.getContext("2d").putImageData(image, 0, 0);
        slot.tag = tag;
        return slot.painted;
    }
    draw() {
        const [w, h] = this.measure(),
            x = this.context,
            per = w / max(1, this.canvas.clientWidth) / this.pixel();
        x.clearRect(0, 0, w, h);
        x.imageSmoothingEnabled = this.camera.far > 0.4;
        for (const [slot, from, n] of this.parts(w)) {
            if (!slot.data) continue;
            const depth = slot.h / slot.w,
                [ax, , az] = this.camera.at;
            x.save();
            x.beginPath();
            x.rect(from, 0, n, h);
            x.clip();
            x.drawImage(
                this.paint(slot),
                w / 2 - (ax + 0.5) * per,
                h / 2 - (az + 0.5 * depth) * per,
                per,
                depth * per,
            );
            x.restore();
        }
    }
}
