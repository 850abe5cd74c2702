/* Without WebGL 2: the ground from above, shaded by the processor; the same interface as GroundGL. */
class GroundFlat extends Viewer {
  constructor(canvas) {
    super(canvas);
    this.context = canvas.getContext("2d");
    this.camera.top = this.flat = true;
    this.renderer = "2-D canvas";
  }
  upload(slot) { slot.painted = null; }
  upload_layer(slot) {
    slot.painted = null;
    slot.pixels = null;
    if (!(slot.layer instanceof ImageBitmap)) return;
    const c = new OffscreenCanvas(slot.layer.width, slot.layer.height), x = c.getContext("2d");
    x.drawImage(slot.layer, 0, 0);
    slot.pixels = x.getImageData(0, 0, c.width, c.height);
  }
  look_colour(t, land, slope) {
    const along = (stops, v) => {
      const p = clamp(v, 0, 1) * (stops.length - 1), i = Math.min(stops.length - 2, Math.floor(p));
      return stops[i].map((c, j) => c + (stops[i + 1][j] - c) * (p - i));
    };
    if (this.look === "relief") return land < 0 ? [.62, .6, .5] : along([...RAMPS.land, [.95, .97, 1]], land);
    if (this.look === "clay") return [.74, .73, .71];
    if (this.look === "colours") return along(RAMPS.height, t);
    if (this.look === "grey") return [t, t, t];
    return along(RAMPS.slope, slope < 15 ? slope / 45 : slope < 35 ? 1 / 3 + (slope - 15) / 60 : 2 / 3 + (slope - 35) / 90);
  }
  layer_colour(slot, c, x, y) {
    const w = slot.pixels ? slot.pixels.width : slot.lw, h = slot.pixels ? slot.pixels.height : slot.lh, i = Math.floor(y * h / slot.h) * w + Math.floor(x * w / slot.w), a = this.opacity;
    if (slot.pixels) return c.map((v, j) => v * (1 - a) + slot.pixels.data[i * 4 + j] / 255 * a);
    const v = slot.layer[i];
    if (slot.kind === "labels") return c.map((q, j) => q * (1 - a) + (.28 + .6 * Math.abs((Math.round(v) * .61803398875 % 1 + j / 3) % 1 * 2 - 1)) * a);
    const m = clamp((v - slot.range[0]) / Math.max(slot.range[1] - slot.range[0], 1e-9), 0, 1) * a, grey = .3 * c[0] + .6 * c[1] + .1 * c[2];
    return c.map((q, j) => (q * (1 - .8 * a) + grey * .8 * a) * (1 - m) + [.94, .42, .1][j] * m);
  }
  paint(slot) {
    const sea = this.sea(), rise = this.rise(), tag = [this.look, this.opacity, sea, rise, this.contour, slot.layer_key].join();
    if (slot.painted && slot.tag === tag) return slot.painted;
    const { w, h, data, low, high } = slot, image = new ImageData(w, h), light = light_of(data, w, h, rise), span = Math.max(high - low, 1e-9);
    for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) {
      const i = y * w + x, v = data[i], west = x ? i - 1 : i, north = y ? i - w : i, gx = (data[x < w - 1 ? i + 1 : i] - data[west]) * .5 * w, gy = (data[y < h - 1 ? i + w : i] - data[north]) * .5 * w;
      const size = Math.hypot(gx * rise, 1, gy * rise), l = 2 * (Math.floor(y * light.ny / h) * light.nx + Math.floor(x * light.nx / w)), t = (v - low) / span;
      let shine = Math.max(0, (SUN[1] - gx * rise * SUN[0] - gy * rise * SUN[2]) / size) * light.bytes[l] / 255 * .95 + .45 * light.bytes[l + 1] / 255;
      let c = this.look_colour(t, sea === null ? t : (v - sea) / Math.max(high - sea, 1e-9), Math.atan(Math.hypot(gx, gy) * this.true_rise()) * 57.2958);
      if (slot.layer) c = this.layer_colour(slot, c, x, y);
      if (this.look === "grey") shine = 1;
      else if (slot.pixels) shine += (1 - shine) * this.opacity;
      if (sea !== null && v < sea) { const a = Math.exp((v - sea) * 12), k = .95 - .6 * a; c = c.map((q, j) => q * shine * (1 - k) + ([.07, .23, .36][j] * (1 - a) + [.28, .56, .62][j] * a) * k); shine = 1; }
      if (this.contour && (Math.floor(v / this.contour) !== Math.floor(data[west] / this.contour) || Math.floor(v / this.contour) !== Math.floor(data[north] / this.contour))) shine *= .55;
      image.data.set([c[0] * shine * 255, c[1] * shine * 255, c[2] * shine * 255, 255], i * 4);
    }
    slot.painted = new OffscreenCanvas(w, h);
    slot.painted.getContext("2d").putImageData(image, 0, 0);
    slot.tag = tag;
    return slot.painted;
  }
  draw() {
    const [w, h] = this.measure(), x = this.context, per = w / Math.max(1, this.canvas.clientWidth) / this.pixel();
    x.clearRect(0, 0, w, h);
    x.imageSmoothingEnabled = this.camera.far > .4;
    for (const [slot, from, n] of this.parts(w)) {
      if (!slot.data) continue;
      const depth = slot.h / slot.w, [ax, , az] = this.camera.at;
      x.save();
      x.beginPath();
      x.rect(from, 0, n, h);
      x.clip();
      x.drawImage(this.paint(slot), w / 2 - (ax + .5) * per, h / 2 - (az + .5 * depth) * per, per, depth * per);
      x.restore();
    }
  }
}
