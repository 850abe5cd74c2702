/* The ground in three dimensions, or from above, by WebGL 2. */
const LOOKS = ["relief", "clay", "colours", "grey", "slope"];
const LAYERS = ["", "mask", "image", "labels"];

class GroundGL extends Viewer {
    constructor(canvas) {
        super(canvas);
        /* An 8 ms probe for a software renderer, which gets a coarser mesh and no antialiasing. */
        const probe = make("canvas").getContext("webgl2"),
            info = probe?.getExtension("WEBGL_debug_renderer_info");
        this.renderer = info ? probe.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
        this.software = /swiftshader|llvmpipe|software|basic.render/i.test(this.renderer);
        probe?.getExtension("WEBGL_lose_context")?.loseContext();
        this.gl = canvas.getContext("webgl2", {
            antialias: !this.software,
            powerPreference: "high-performance",
        });
        if (!this.gl) throw new Error("this browser has no WebGL 2");
        this.mesh_most = this.software ? 256 : 1024;
        this.cost = this.software ? 60 : 16;
        this.begin();
        canvas.addEventListener("webglcontextlost", (e) => {
            e.preventDefault();
            this.lost = true;
        });
        canvas.addEventListener("webglcontextrestored", () => this.restore());
    }
    restore() {
        this.lost = false;
        this.begin();
        for (const slot of this.slots) {
            Object.assign(slot, { textures: null, lit: 0 });
            if (!slot.data) continue;
            this.upload(slot);
            this.upload_layer(slot);
        }
        this.dirty();
    }
    begin() {
        const gl = this.gl,
            p = gl.createProgram();
        for (const [type, text] of [
            [gl.VERTEX_SHADER, VERTEX],
            [gl.FRAGMENT_SHADER, FRAGMENT],
        ]) {
            const shader = gl.createShader(type);
            gl.shaderSource(shader, text);
            gl.compileShader(shader);
            gl.attachShader(p, shader);
        }
        gl.linkProgram(p);
        if (!gl.getProgramParameter(p, gl.LINK_STATUS) && !gl.isContextLost())
            throw new Error(gl.getProgramInfoLog(p));
        gl.useProgram(p);
        this.u = {};
        for (let i = gl.getProgramParameter(p, gl.ACTIVE_UNIFORMS) - 1; i >= 0; i--) {
            const { name } = gl.getActiveUniform(p, i);
            this.u[name] = gl.getUniformLocation(p, name);
        }
        gl.bindVertexArray(gl.createVertexArray());
        ["uHeights", "uSlopes", "uLight", "uLayerMap"].forEach((name, i) => gl.uniform1i(this.u[name], i));
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
        this.meshes = new Map();
    }
    fill(texture, inner, w, h, format, type, data, filter) {
        const gl = this.gl;
        gl.bindTexture(gl.TEXTURE_2D, texture);
        if (data instanceof ImageBitmap) gl.texImage2D(gl.TEXTURE_2D, 0, inner, format, type, data);
        else gl.texImage2D(gl.TEXTURE_2D, 0, inner, w, h, 0, format, type, data);
        for (const p of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
            gl.texParameteri(gl.TEXTURE_2D, p, filter);
        for (const p of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
            gl.texParameteri(gl.TEXTURE_2D, p, gl.CLAMP_TO_EDGE);
    }
    upload(slot) {
        const gl = this.gl,
            { w, h, data } = slot,
            count = w * h * 3,
            slopes = this.slopes?.length === count ? this.slopes : new Float32Array(count);
        this.slopes = slopes; /* again for the next map: to touch fresh memory takes longer than to fill it */
        slot.textures ||= [0, 1, 2, 3].map(() => gl.createTexture());
        for (let y = 0, k = 0; y < h; y++) {
            const north = (y ? y - 1 : 0) * w,
                south = (y < h - 1 ? y + 1 : y) * w,
                row = y * w,
                tall = 0.5 * w * (y && y < h - 1 ? 1 : 2);
            for (let x = 0; x < w; x++) {
                const west = x ? x - 1 : 0,
                    east = x < w - 1 ? x + 1 : x;
                slopes[k++] = ((data[row + east] - data[row + west]) * w) / (east - west || 1);
                slopes[k++] = (data[south + x] - data[north + x]) * tall;
                slopes[k++] = data[row + x];
            }
        }
        this.fill(slot.textures[0], gl.R32F, w, h, gl.RED, gl.FLOAT, data, gl.NEAREST);
        this.fill(slot.textures[1], gl.RGB16F, w, h, gl.RGB, gl.FLOAT, slopes, gl.LINEAR);
    }
    upload_layer(slot) {
        const gl = this.gl;
        if (!slot.layer) return;
        slot.textures ||= [0, 1, 2, 3].map(() => gl.createTexture());
        if (slot.layer instanceof ImageBitmap)
            this.fill(slot.textures[3], gl.RGBA, 0, 0, gl.RGBA, gl.UNSIGNED_BYTE, slot.layer, gl.LINEAR);
        else this.fill(slot.textures[3], gl.R32F, slot.lw, slot.lh, gl.RED, gl.FLOAT, slot.layer, gl.NEAREST);
    }
    /* Light of the present exaggeration. */
    illuminate(slot) {
        const gl = this.gl,
            rise = this.rise();
        if (slot.lit === rise) return;
        const { bytes, nx, ny } = light_of(slot.data, slot.w, slot.h, rise);
        slot.lit = rise;
        this.fill(slot.textures[2], gl.RG8, nx, ny, gl.RG, gl.UNSIGNED_BYTE, bytes, gl.LINEAR);
    }
    mesh(nx, ny) {
        const gl = this.gl,
            name = `${nx}x${ny}`,
            indices = new Uint32Array((nx * 2 + 1) * (ny - 1));
        if (this.meshes.has(name)) return this.meshes.get(name);
        if (this.meshes.size > 7) {
            for (const m of this.meshes.values()) gl.deleteBuffer(m.buffer);
            this.meshes.clear();
        }
        for (let y = 0, k = 0; y < ny - 1; y++) {
            for (let x = 0; x < nx; x++) {
                indices[k++] = y * nx + x;
                indices[k++] = (y + 1) * nx + x;
            }
            indices[k++] = 0xffffffff;
        }
        const buffer = gl.createBuffer(),
            made = { buffer, nx, ny, count: indices.length };
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
        this.meshes.set(name, made);
        return made;
    }
    wait() {
        this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, new Uint8Array(4));
    }
    draw() {
        const gl = this.gl,
            moving = performance.now() - this.moving < 120,
            slow = moving && this.cost > 40,
            begun = performance.now();
        if (this.lost) return;
        const [w, h] = this.measure(slow ? 0.5 : 1);
        gl.viewport(0, 0, w, h);
        gl.disable(gl.SCISSOR_TEST);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.DEPTH_TEST);
        gl.enable(gl.SCISSOR_TEST);
        gl.uniformMatrix4fv(this.u.uView, false, this.camera.matrix(this.aspect()));
        for (const [slot, x, n] of this.parts(w))
            if (slot.data) {
                gl.scissor(x, 0, n, h);
                this.draw_ground(slot, slow);
            }
        if (!moving) return;
        if (this.software) this.wait(); /* else frames would queue */
        this.cost = this.cost * 0.7 + (performance.now() - begun) * 0.3;
        clearTimeout(this.rest);
        this.rest = setTimeout(() => this.dirty(), 140);
    }
    draw_ground(slot, slow) {
        const gl = this.gl,
            u = this.u,
            sea = this.sea(),
            step = max(1, ceil(max(slot.w, slot.h) / (slow ? 128 : this.mesh_most)));
        const m = this.mesh(max(2, ceil(slot.w / step)), max(2, ceil(slot.h / step)));
        this.illuminate(slot);
        slot.textures.forEach((t, i) => {
            gl.activeTexture(gl.TEXTURE0 + i);
            gl.bindTexture(gl.TEXTURE_2D, i === 3 && !slot.layer ? slot.textures[0] : t);
        });
        const numbers = {
            uRise: this.rise(),
            uTrueRise: this.true_rise(),
            uDepth: slot.h / slot.w,
            uBase: this.base(slot),
            uLow: slot.low,
            uHigh: slot.high,
            uSea: sea ?? -1e9,
            uOpacity: this.opacity,
            uSnow: slot.snow,
            uContour: this.contour,
        };
        for (const name in numbers) gl.uniform1f(u[name], numbers[name]);
        gl.uniform2f(u.uSize, slot.w, slot.h);
        gl.uniform2i(u.uGrid, m.nx, m.ny);
        gl.uniform3fv(u.uSun, SUN);
        gl.uniform1i(u.uLook, LOOKS.indexOf(this.look));
        gl.uniform1i(u.uLayer, slot.layer ? LAYERS.indexOf(slot.kind) : 0);
        gl.uniform2f(u.uLayerSize, slot.lw, slot.lh);
        gl.uniform2fv(u.uLayerRange, slot.range);
        const part = (which, draw) => {
                gl.uniform1i(u.uPart, which);
                draw();
            },
            wall = () => gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4 * (m.nx + m.ny - 2) + 2);
        gl.disable(gl.BLEND);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, m.buffer);
        part(0, () => gl.drawElements(gl.TRIANGLE_STRIP, m.count, gl.UNSIGNED_INT, 0));
        if (!this.camera.top) part(1, wall);
        if (sea === null) return;
        gl.enable(gl.BLEND);
        gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        part(2, () => gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4));
        if (!this.camera.top) part(3, wall);
    }
}
