/* SPDX-License-Identifier: MIT */
/* From angles to rays. The fit is in closed form: every point of the block gives a lower bound of
 * how far right, left, above and below of it the eye's pyramid of sight must pass. */
#include "render/kernels/camera.h"

#include <thalweg/kernel.h>

enum { SQUARE = 5, SQUARES_MAX = 128 }; /* level of the pyramid: 32 cells; squares a side */
enum { BOTTOM_RAYS = 64 };
#define FURTHEST 1.3 /* longer sides from the middle, where nothing else is given */
#define NEAREST 0.4
static const double margin_x = 0.03, margin_y = 0.05; /* of the picture, left free */

static double tan_half(double degrees)
{
    return tw_sin_degrees(degrees / 2) / tw_cos_degrees(degrees / 2);
}

static struct tw_camera turn(const struct tw_camera_aim *aim)
{
    double sin_a = tw_sin_degrees(aim->azimuth), cos_a = tw_cos_degrees(aim->azimuth);
    double sin_p = tw_sin_degrees(aim->pitch), cos_p = tw_cos_degrees(aim->pitch);
    return (struct tw_camera){.forward = {-sin_a * cos_p, cos_a * cos_p, -sin_p},
                              .right = {-cos_a, -sin_a, 0},
                              .up = {-sin_a * sin_p, cos_a * sin_p, cos_p}};
}

/* Makes right and up end at the picture's border. */
static void spread(struct tw_camera *c, const struct tw_camera_aim *aim)
{
    double wide = tan_half(aim->view), tall = wide * aim->height / aim->width;
    for (int i = 0; i < 3; i++) {
        c->right[i] *= wide;
        c->up[i] *= tall;
    }
}

/* The coarsest needed level of the pyramid, and the side of its squares. */
static int square_level(const struct tw_pyramid *p)
{
    int level = SQUARE < p->levels ? SQUARE : p->levels - 1;
    while (level < p->levels - 1 &&
           (p->across[level] > SQUARES_MAX || p->down[level] > SQUARES_MAX))
        level++;
    return level;
}

struct bounds {
    double right, left, above, below; /* A+, A-, B+, B- */
    double a, b;                      /* half the picture, at distance 1, without margins */
};

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double larger(double a, double b) { return a > b ? a : b; }

static void add_point(const struct tw_camera *c, const double *point, struct bounds *to)
{
    double r = dot(point, c->right), u = dot(point, c->up), f = dot(point, c->forward);
    to->right = larger(to->right, r - to->a * f);
    to->left = larger(to->left, -r - to->a * f);
    to->above = larger(to->above, u - to->b * f);
    to->below = larger(to->below, -u - to->b * f);
}

/* A square's corners at its greatest height and at the bottom. */
static void add_square(const struct tw_camera *c, const struct tw_pyramid *p, int level,
                       int32_t column, int32_t row, double bottom, struct bounds *to)
{
    double top = (double)p->at[level][(size_t)row * (size_t)p->across[level] + (size_t)column];
    for (int i = 0; i < 8; i++) {
        double x = (double)((int64_t)(column + (i & 1)) << level);
        double y = (double)((int64_t)(row + (i >> 1 & 1)) << level);
        const double point[3] = {x < p->width - 1 ? x : p->width - 1,
                                 y < p->height - 1 ? y : p->height - 1, i < 4 ? bottom : top};
        add_point(c, point, to);
    }
}

struct tw_camera tw_camera_fit(const struct tw_camera_aim *aim, const struct tw_pyramid *p,
                               double bottom)
{
    struct tw_camera c = turn(aim);
    double wide = tan_half(aim->view), tall = wide * aim->height / aim->width;
    struct bounds to = {
        -1e30, -1e30, -1e30, -1e30, wide * (1 - 2 * margin_x), tall * (1 - 2 * margin_y)};
    int level = square_level(p);
    for (int32_t row = 0; row < p->down[level]; row++)
        for (int32_t column = 0; column < p->across[level]; column++)
            add_square(&c, p, level, column, row, bottom, &to);
    double across = -(to.right + to.left) / (2 * to.a), along = -(to.above + to.below) / (2 * to.b);
    double f = across < along ? across : along;
    double r = (to.right - to.left) / 2, u = (to.above - to.below) / 2;
    for (int i = 0; i < 3; i++)
        c.eye[i] = f * c.forward[i] + r * c.right[i] + u * c.up[i];
    spread(&c, aim);
    return c;
}

struct tw_camera tw_camera_place(const struct tw_camera_aim *aim, const struct tw_pyramid *p,
                                 double away, double middle)
{
    struct tw_camera c = turn(aim);
    const double target[3] = {0.5 * (p->width - 1), 0.5 * (p->height - 1), middle};
    for (int i = 0; i < 3; i++)
        c.eye[i] = target[i] - away * c.forward[i];
    spread(&c, aim);
    return c;
}

/* The steepest view from the eye up to a square within 45 degrees of straight ahead, as `right` has
 * the length `wide` here: rise per distance. */
static double steepest(const struct tw_camera *c, const struct tw_pyramid *p, double wide)
{
    int level = square_level(p);
    double most = -1, half = 0.5 * (double)((int64_t)1 << level);
    for (int32_t row = 0; row < p->down[level]; row++)
        for (int32_t column = 0; column < p->across[level]; column++) {
            double top =
                (double)p->at[level][(size_t)row * (size_t)p->across[level] + (size_t)column];
            double x = (double)((int64_t)column << level) + half - c->eye[0];
            double y = (double)((int64_t)row << level) + half - c->eye[1];
            double ahead = x * c->forward[0] + y * c->forward[1];
            double aside = fabs(x * c->right[0] + y * c->right[1]);
            if (ahead > 4 * half && aside < wide * ahead)
                most = larger(most, (top - c->eye[2]) / ahead);
        }
    return most;
}

/* Above the line of sight from the middle's foot, and above the ground around. */
static double standing_height(const struct tw_camera *c, const struct tw_camera_aim *aim,
                              const struct tw_pyramid *p, double away, double foot)
{
    double longest = p->width > p->height ? p->width : p->height, step = 0.05 * longest;
    double ground = larger(
        tw_pyramid_height(p, c->eye[0], c->eye[1]),
        tw_pyramid_height(p, c->eye[0] + step * c->forward[0], c->eye[1] + step * c->forward[1]));
    double rise = away * tw_sin_degrees(aim->pitch) / tw_cos_degrees(aim->pitch);
    return larger(foot + rise, ground + 0.025 * longest);
}

/* From `away` cells in front of the middle, turned so that the highest part is 12 % below the top:
 * 0.76 of the way up. */
static struct tw_camera stand_at(const struct tw_camera_aim *aim, const struct tw_pyramid *p,
                                 double away, double foot)
{
    struct tw_camera_aim level = *aim;
    double wide = tan_half(aim->view), tall = wide * aim->height / aim->width;
    level.pitch = 0;
    struct tw_camera c = tw_camera_place(&level, p, away, 0);
    c.eye[2] = standing_height(&c, aim, p, away, foot);
    double down = tw_atan2(0.76 * tall, 1) - tw_atan2(steepest(&c, p, wide), 1);
    level.pitch = down * 57.29577951308232;
    struct tw_camera turned = turn(&level);
    for (int i = 0; i < 3; i++)
        turned.eye[i] = c.eye[i];
    spread(&turned, aim);
    return turned;
}

/* Whether the lowest row of the picture shows ground, so that no border in front is seen. */
static bool stands_on_ground(const struct tw_camera *c, const struct tw_pyramid *p, double foot)
{
    for (int i = 0; i <= BOTTOM_RAYS; i++) {
        struct tw_ray ray = tw_camera_ray(c, 2.0 * i / BOTTOM_RAYS - 1, -1);
        struct tw_hit hit;
        if (!tw_raycast(p, foot - 1e6, &ray, &hit) || hit.wall)
            return false;
    }
    return true;
}

struct tw_camera tw_camera_stand(const struct tw_camera_aim *aim, const struct tw_pyramid *p,
                                 double away, double foot)
{
    double longest = p->width > p->height ? p->width : p->height;
    if (away > 0)
        return stand_at(aim, p, away, foot);
    struct tw_camera c = stand_at(aim, p, FURTHEST * longest, foot);
    for (double share = FURTHEST; share > NEAREST && !stands_on_ground(&c, p, foot); share *= 0.93)
        c = stand_at(aim, p, share * longest, foot);
    return c;
}

/* Depths are measured along `forward`, of length 1, to which `right` and `up` are perpendicular. */
static TW_INLINE void aim_body(const struct tw_camera *c, const double *u, const double *v,
                               const double *sight, struct tw_ray_packet *rays)
{
    for (int axis = 0; axis < 3; axis++)
        rays->from[axis] = c->eye[axis];
    for (int i = 0; i < TW_RAYS; i++) {
        double x = c->forward[0] + u[i] * c->right[0] + v[i] * c->up[0];
        double y = c->forward[1] + u[i] * c->right[1] + v[i] * c->up[1];
        double z = c->forward[2] + u[i] * c->right[2] + v[i] * c->up[2];
        double length = sqrt(x * x + y * y + z * z);
        rays->along[0][i] = x / length;
        rays->along[1][i] = y / length;
        rays->along[2][i] = z / length;
        rays->free[i] = sight[i] * length;
    }
}
TW_SIMD_KERNEL(aim,
               (const struct tw_camera *c, const double *u, const double *v, const double *sight,
                struct tw_ray_packet *rays),
               (c, u, v, sight, rays))

void tw_camera_rays(enum tw_simd simd, const struct tw_camera *camera, const double *u,
                    const double *v, const double *sight, struct tw_ray_packet *rays)
{
    aim(simd)(camera, u, v, sight, rays);
}
