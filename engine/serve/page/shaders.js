/* The programs of the graphics processor. Vertices fetch their heights by their number from a texture: there is
 * no vertex buffer. Gradients, heights and light are textures of the whole map, so that a coarse mesh has all
 * shading. */
const RAMPS = {
    land: [
        [0.41, 0.44, 0.3],
        [0.47, 0.48, 0.34],
        [0.55, 0.51, 0.41],
        [0.58, 0.55, 0.51],
    ],
    height: [
        [0.267, 0.005, 0.329],
        [0.19, 0.407, 0.556],
        [0.208, 0.719, 0.473],
        [0.993, 0.906, 0.144],
    ],
    slope: [
        [0.16, 0.42, 0.3],
        [0.74, 0.8, 0.44],
        [0.93, 0.58, 0.22],
        [0.55, 0.08, 0.16],
    ],
};
const in_words = (ramp) => ramp.map((c) => `vec3(${c})`).join();
const SHADER_HEAD = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D uHeights;
uniform vec2 uSize;
uniform float uRise, uBase, uSea, uDepth;
uniform int uPart;
float at(ivec2 c) { return texelFetch(uHeights, c, 0).r; }
`;
/* Parts: 0 ground, 1 walls, 2 the sea's surface, 3 the sea's walls. */
const VERTEX = `${SHADER_HEAD}
uniform mat4 uView;
uniform ivec2 uGrid;
out vec2 vPlace;
out float vHeight;
ivec2 border(int k, int n, int m) {
    if (k < n) return ivec2(k, 0);
    if (k < n + m) return ivec2(n, k - n);
    return k < 2 * n + m ? ivec2(2 * n + m - k, m) : ivec2(0, 2 * n + 2 * m - k);
}
void main() {
    int i = gl_VertexID;
    ivec2 last = uGrid - 1;
    ivec2 g = uPart == 0 ? ivec2(i % uGrid.x, i / uGrid.x) : border(i / 2, last.x, last.y);
    vPlace = vec2(g) / vec2(last);
    vHeight = at(ivec2(vPlace * (uSize - 1.) + .5));
    if (uPart == 1 && (i & 1) == 1) vHeight = uBase;
    if (uPart == 3 && (i & 1) == 0) vHeight = max(vHeight, uSea);
    if (uPart == 2) {
        vPlace = vec2(i & 1, i >> 1);
        vHeight = uSea;
    }
    gl_Position = uView * vec4(vPlace.x - .5, vHeight * uRise, (vPlace.y - .5) * uDepth, 1.);
}`;
const FRAGMENT = `${SHADER_HEAD}
in vec2 vPlace;
in float vHeight;
out vec4 oColour;
uniform int uLook, uLayer;
uniform sampler2D uSlopes, uLight, uLayerMap;
uniform vec2 uLayerSize, uLayerRange;
uniform vec3 uSun;
uniform float uOpacity, uSnow, uLow, uHigh, uTrueRise, uContour;

float hash(vec2 p) {
    p = fract(p * vec2(123.34, 456.21));
    p += dot(p, p + 45.32);
    return fract(p.x * p.y);
}
float noise(vec2 p) {
    vec2 i = floor(p), f = fract(p);
    f = f * f * (3. - 2. * f);
    float north = mix(hash(i), hash(i + vec2(1, 0)), f.x);
    float south = mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), f.x);
    return mix(north, south, f.y) * 2. - 1.;
}
vec3 ramp(vec3 a, vec3 b, vec3 c, vec3 d, float t) {
    t = clamp(t, 0., 1.) * 3.;
    return t < 1. ? mix(a, b, t) : t < 2. ? mix(b, c, t - 1.) : mix(c, d, t - 2.);
}
vec3 relief(float land, float steep, float n) {
    float t = clamp(land + .06 * n, 0., 1.);
    vec3 c = ramp(${in_words(RAMPS.land)}, t * 1.25) * (1. + .07 * n);
    vec3 rock = mix(vec3(.60, .56, .51), vec3(.47, .44, .42), .5 + .5 * n);
    float snow = smoothstep(uSnow - .03, uSnow + .05, t + .05 * n) * smoothstep(.85, .50, steep + .2 * n);
    c = mix(c, rock, smoothstep(.28, .70, steep + .12 * n) * .9);
    return mix(c, vec3(.95, .97, 1.), snow);
}
/* Beaches, and the ground of the sea. */
vec3 shore(vec3 c, float land, float steep, float n) {
    vec3 depths = mix(vec3(.74, .70, .56), vec3(.30, .33, .34), clamp(-land * 4., 0., 1.));
    if (land < 0.) return depths;
    return mix(vec3(.80, .74, .58), c, smoothstep(.004, .022, land + .006 * n + steep * .1));
}
vec3 slopes(float s) {
    float t = s < 15. ? s / 45. : s < 35. ? 1. / 3. + (s - 15.) / 60. : 2. / 3. + (s - 35.) / 90.;
    return ramp(${in_words(RAMPS.slope)}, t);
}
float layer_at(ivec2 c) {
    return texelFetch(uLayerMap, clamp(c, ivec2(0), ivec2(uLayerSize) - 1), 0).r;
}
float share() {
    vec2 p = vPlace * uLayerSize - .5, f = fract(p);
    ivec2 c = ivec2(floor(p));
    float north = mix(layer_at(c), layer_at(c + ivec2(1, 0)), f.x);
    float south = mix(layer_at(c + ivec2(0, 1)), layer_at(c + 1), f.x);
    float v = mix(north, south, f.y);
    return clamp((v - uLayerRange.x) / max(uLayerRange.y - uLayerRange.x, 1e-9), 0., 1.);
}
/* Layers: 1 a mask, 2 a picture, 3 labels. */
vec3 layered(vec3 c) {
    if (uLayer == 1) {
        vec3 faded = mix(c, vec3(dot(c, vec3(.3, .6, .1))), .8 * uOpacity);
        return mix(faded, vec3(.94, .42, .10), share() * uOpacity);
    }
    if (uLayer == 2) return mix(c, texture(uLayerMap, vPlace).rgb, uOpacity);
    if (uLayer == 3) {
        float v = floor(layer_at(ivec2(vPlace * uLayerSize)) + .5);
        vec3 hue = fract(fract(v * .61803398875) + vec3(0., .333, .667));
        return mix(c, .28 + .6 * abs(hue * 2. - 1.), uOpacity);
    }
    return c;
}
vec3 tone(vec3 c) {
    c *= .92;
    c = c * (2.51 * c + .03) / (c * (2.43 * c + .59) + .14);
    return sqrt(clamp(c, 0., 1.));
}
/* Linear light on a colour of the screen. */
vec3 shine(vec3 c, vec3 n) {
    vec2 light = texture(uLight, vPlace).rg;
    vec3 sun = vec3(1.62, 1.50, 1.32) * max(dot(n, uSun), 0.) * light.r;
    vec3 sky = vec3(.50, .57, .70) * light.g * (.55 + .45 * n.y);
    return c * c * (sun + sky + vec3(.12, .10, .08) * (1.2 - light.g));
}
vec4 sea(float depth) {
    float a = exp(-depth * 12.6);
    if (depth <= 0.) discard;
    return vec4(mix(vec3(.07, .23, .36), vec3(.28, .56, .62), a), mix(.95, .35, a));
}
vec4 wall() {
    float y = (vHeight - uBase) * uRise;
    float bands = sin(y * 420. + sin(vPlace.x * 19. + vPlace.y * 23.) * 1.2) * .5 + .5;
    return vec4(mix(vec3(.30, .275, .25), vec3(.38, .345, .305), bands) * clamp(.62 + y * 6., .62, 1.), 1.);
}
float contour() {
    float q = vHeight / uContour, w = fwidth(q);
    float line = 1. - smoothstep(0., 1.2, abs(fract(q - .5) - .5) / max(w, 1e-6));
    return line * .55 * (1. - smoothstep(.25, .7, w));
}
vec3 look(vec3 g, float steep) {
    float h = g.b, t = (h - uLow) / max(uHigh - uLow, 1e-9);
    float n = noise(vPlace * 36.) * .6 + noise(vPlace * 160.) * .4;
    bool wet = uSea > -1e8;
    float land = wet ? (h - uSea) / max(uHigh - uSea, 1e-9) : t;
    if (uLook == 1) return vec3(.74, .73, .71);
    if (uLook == 2) return ramp(${in_words(RAMPS.height)}, t);
    if (uLook == 3) return vec3(t);
    if (uLook == 4) return slopes(degrees(atan(length(g.xy) * uTrueRise)));
    vec3 c = relief(land, steep * 1.6, n);
    return wet ? shore(c, land, steep, n) : c;
}
void main() {
    vec3 g = texture(uSlopes, vPlace).rgb;
    vec3 n = normalize(vec3(-g.x * uRise, 1., -g.y * uRise));
    if (uPart == 1) oColour = wall();
    else if (uPart == 2) oColour = sea(uSea - g.b);
    else if (uPart == 3) oColour = sea(uSea - vHeight + .02);
    if (uPart > 0) return;
    vec3 c = layered(look(g, 1. - n.y));
    c = mix(tone(shine(c, n)), c, uLook == 3 ? 1. : uLayer == 2 ? uOpacity : 0.);
    if (uContour > 0.) c = mix(c, vec3(.08), contour());
    oColour = vec4(c, 1.);
}`;
