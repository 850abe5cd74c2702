/* The programs of the graphics processor. Vertices fetch their heights by their number from a texture: there is
 * no vertex buffer. Gradients, heights and light are textures of the whole map, so that a coarse mesh has all shading. */
const RAMPS = {
  land: [[.41, .44, .3], [.47, .48, .34], [.55, .51, .41], [.58, .55, .51]],
  height: [[.267, .005, .329], [.19, .407, .556], [.208, .719, .473], [.993, .906, .144]],
  slope: [[.16, .42, .3], [.74, .8, .44], [.93, .58, .22], [.55, .08, .16]],
};
const in_words = (ramp) => ramp.map((c) => `vec3(${c})`).join();
const SHADER_HEAD = `#version 300 es
precision highp float; precision highp int; precision highp sampler2D;
uniform sampler2D uHeights; uniform vec2 uSize; uniform float uRise, uBase, uSea, uDepth; uniform int uPart;
float at(ivec2 c) { return texelFetch(uHeights, c, 0).r; }
`;
/* Parts: 0 ground, 1 walls, 2 the sea's surface, 3 the sea's walls. */
const VERTEX = SHADER_HEAD + `
uniform mat4 uView; uniform ivec2 uGrid; out vec2 vPlace; out float vHeight;
void main() {
  int i = gl_VertexID; float h; vec2 place;
  if (uPart == 2) { place = vec2(i & 1, i >> 1); h = uSea; }
  else {
    ivec2 g; int n = uGrid.x - 1, m = uGrid.y - 1;
    if (uPart == 0) g = ivec2(i % uGrid.x, i / uGrid.x);
    else { int k = i / 2; g = k < n ? ivec2(k, 0) : k < n + m ? ivec2(n, k - n) : k < 2 * n + m ? ivec2(2 * n + m - k, m) : ivec2(0, 2 * n + 2 * m - k); }
    ivec2 c = ivec2(vec2(g) * (uSize - 1.) / vec2(n, m) + .5);
    h = at(c);
    place = vec2(g) / vec2(n, m);
    if (uPart == 1 && (i & 1) == 1) h = uBase;
    if (uPart == 3 && (i & 1) == 0) h = max(h, uSea);
  }
  vPlace = place; vHeight = h;
  gl_Position = uView * vec4(place.x - .5, h * uRise, (place.y - .5) * uDepth, 1.);
}`;
const FRAGMENT = SHADER_HEAD + `
in vec2 vPlace; in float vHeight; out vec4 oColour;
uniform int uLook, uLayer; uniform sampler2D uSlopes, uLight, uLayerMap; uniform vec2 uLayerSize, uLayerRange;
uniform vec3 uSun; uniform float uOpacity, uSnow, uLow, uHigh, uTrueRise, uContour;
float hash(vec2 p) { p = fract(p * vec2(123.34, 456.21)); p += dot(p, p + 45.32); return fract(p.x * p.y); }
float noise(vec2 p) { vec2 i = floor(p), f = fract(p); f = f * f * (3. - 2. * f);
  return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x), mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), f.x), f.y) * 2. - 1.; }
vec3 three(vec3 a, vec3 b, vec3 c, vec3 d, float t) { t *= 3.; return t < 1. ? mix(a, b, t) : t < 2. ? mix(b, c, t - 1.) : mix(c, d, t - 2.); }
vec3 relief(float land, float steep, float n) {
  float t = clamp(land + .06 * n, 0., 1.);
  vec3 c = three(${in_words(RAMPS.land)}, clamp(t * 1.25, 0., 1.));
  c *= 1. + .07 * n;
  c = mix(c, mix(vec3(.60, .56, .51), vec3(.47, .44, .42), .5 + .5 * n), smoothstep(.28, .70, steep + .12 * n) * .9);
  return mix(c, vec3(.95, .97, 1.), smoothstep(uSnow - .03, uSnow + .05, t + .05 * n) * smoothstep(.85, .50, steep + .2 * n));
}
vec3 slopes(float s) { return three(${in_words(RAMPS.slope)}, s < 15. ? s / 45. : s < 35. ? 1. / 3. + (s - 15.) / 60. : min(2. / 3. + (s - 35.) / 90., 1.)); }
float share(vec2 place) { vec2 p = place * uLayerSize - .5, f = fract(p); ivec2 c = ivec2(floor(p)), m = ivec2(uLayerSize) - 1;
  #define L(x, y) texelFetch(uLayerMap, clamp(c + ivec2(x, y), ivec2(0), m), 0).r
  return mix(mix(L(0, 0), L(1, 0), f.x), mix(L(0, 1), L(1, 1), f.x), f.y); }
vec3 layered(vec3 c, out float flatter) {
  flatter = 0.;
  if (uLayer == 1) { float m = clamp((share(vPlace) - uLayerRange.x) / max(uLayerRange.y - uLayerRange.x, 1e-9), 0., 1.); return mix(mix(c, vec3(dot(c, vec3(.3, .6, .1))), .8 * uOpacity), vec3(.94, .42, .10), m * uOpacity); }
  if (uLayer == 2) { flatter = uOpacity; return mix(c, texture(uLayerMap, vPlace).rgb, uOpacity); }
  if (uLayer == 3) { float v = floor(texelFetch(uLayerMap, min(ivec2(vPlace * uLayerSize), ivec2(uLayerSize) - 1), 0).r + .5); return mix(c, .28 + .6 * abs(fract(fract(v * .61803398875) + vec3(0., .333, .667)) * 2. - 1.), uOpacity); }
  return c;
}
vec3 tone(vec3 c) { c *= .92; vec3 t = c * (2.51 * c + .03) / (c * (2.43 * c + .59) + .14); return sqrt(clamp(t, 0., 1.)); }
/* Linear light on a colour of the screen. */
vec3 shine(vec3 c, vec3 n, vec2 light) {
  float sun = max(dot(n, uSun), 0.) * light.r, sky = light.g;
  return c * c * (sun * vec3(1.62, 1.50, 1.32) + vec3(.50, .57, .70) * sky * (.55 + .45 * n.y) + vec3(.12, .10, .08) * (1.2 - sky));
}
vec4 sea(float d) { float a = exp(-d * 9.); return vec4(mix(vec3(.07, .23, .36), vec3(.28, .56, .62), a), mix(.95, .35, a)); }
void main() {
  if (uPart > 1) { float d = uPart == 3 ? uSea - vHeight + .02 : uSea - texture(uSlopes, vPlace).b; if (d <= 0.) discard; oColour = sea(d * 1.4); return; }
  if (uPart == 1) { float y = (vHeight - uBase) * uRise, b = sin(y * 420. + sin(vPlace.x * 19. + vPlace.y * 23.) * 1.2) * .5 + .5;
    oColour = vec4(mix(vec3(.30, .275, .25), vec3(.38, .345, .305), b) * clamp(.62 + y * 6., .62, 1.), 1.); return; }
  vec3 g = texture(uSlopes, vPlace).rgb; vec2 light = texture(uLight, vPlace).rg; float h = g.b, t = (h - uLow) / max(uHigh - uLow, 1e-9);
  vec3 n = normalize(vec3(-g.x * uRise, 1., -g.y * uRise)), c; float steep = 1. - n.y, flatter, k = noise(vPlace * 36.) * .6 + noise(vPlace * 160.) * .4;
  if (uLook == 0) { float land = uSea > -1e8 ? (h - uSea) / max(uHigh - uSea, 1e-9) : t;
    c = relief(land, steep * 1.6, k); if (uSea > -1e8) { c = mix(vec3(.80, .74, .58), c, smoothstep(.004, .022, land + .006 * k + steep * .1)); if (land < 0.) c = mix(vec3(.74, .70, .56), vec3(.30, .33, .34), clamp(-land * 4., 0., 1.)); } }
  else if (uLook == 1) c = vec3(.74, .73, .71);
  else if (uLook == 2) c = three(${in_words(RAMPS.height)}, clamp(t, 0., 1.));
  else if (uLook == 3) c = vec3(t);
  else c = slopes(degrees(atan(length(g.xy) * uTrueRise)));
  c = layered(c, flatter);
  vec3 lit = tone(shine(c, n, light));
  c = mix(lit, c, uLook == 3 ? 1. : flatter);
  if (uContour > 0.) { float q = vHeight / uContour, w = fwidth(q), e = 1. - smoothstep(0., 1.2, abs(fract(q - .5) - .5) / max(w, 1e-6)); c = mix(c, vec3(.08), e * .55 * (1. - smoothstep(.25, .7, w))); }
  oColour = vec4(c, 1.);
}`;
