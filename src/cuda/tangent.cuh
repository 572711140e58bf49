/* Positions that are no plain numbers, of spherical joints (N = 3: a quaternion) and of free ones (N = 6: a place, a quaternion): how
 * they move along a velocity and back, and how small changes pass. The texts of positions.c and tangent.c once more, for a device;
 * doc/optimise.md eq. (1) to (3). A screw is (v, w), the turn last. */
namespace {

/* the sine and cosine of generated code */
__device__ inline void turn(real x, real &s, real &c)
{
    robot_words::turn(x, s, c);
    robot_words::far_turn(x, s, c);
}

/* sin(x)/x, (1 - cos x)/x^2, (x - sin x)/x^3 and their derivatives by x, over x: by series where digits would cancel */
struct factors {
    real value[3], slope[3];
};

__device__ inline factors factors_of(real x)
{
    const real xx = x * x;
    factors f;
    if (x < real(0.5)) {
        for (int k = 0; k < 3; k++) {
            real term = k < 2 ? real(1) / (k + 1) : real(1) / 6;
            f.value[k] = term, f.slope[k] = 0;
            for (int i = 1; i < 9; i++) {
                const real next = term / ((2 * i + k) * (2 * i + k + 1));
                f.slope[k] -= 2 * i * next;
                term = -xx * next;
                f.value[k] += term;
            }
        }
        return f;
    }
    real s, c, half, unused;
    turn(x, s, c);
    turn(x / 2, half, unused);
    f.value[0] = s / x;
    f.value[1] = 2 * half * half / xx;
    f.value[2] = (x - s) / (xx * x);
    f.slope[0] = (c - f.value[0]) / xx;
    f.slope[1] = (f.value[0] - 2 * f.value[1]) / xx;
    f.slope[2] = (f.value[1] - 3 * f.value[2]) / xx;
    return f;
}

__device__ inline real dot(const real *a, const real *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* c += a x b */
__device__ inline void add_cross(const real *a, const real *b, real *c)
{
    c[0] += a[1] * b[2] - a[2] * b[1];
    c[1] += a[2] * b[0] - a[0] * b[2];
    c[2] += a[0] * b[1] - a[1] * b[0];
}

/* a b of quaternions x y z w */
__device__ inline void product(const real *a, const real *b, real *c)
{
    for (int k = 0; k < 3; k++) c[k] = a[3] * b[k] + b[3] * a[k];
    add_cross(a, b, c);
    c[3] = a[3] * b[3] - dot(a, b);
}

/* a quaternion brought to unit length */
__device__ inline void unite(real *e)
{
    const real length = sqrt(dot(e, e) + e[3] * e[3]);
    for (int k = 0; k < 4; k++) e[k] /= length;
}

/* v turned by e: v + 2 w (e x v) + 2 e x (e x v) */
__device__ inline void turned(const real *e, const real *v, real *out)
{
    real t[3] = {0, 0, 0}, u[3] = {0, 0, 0};
    add_cross(e, v, t);
    add_cross(e, t, u);
    for (int k = 0; k < 3; k++) out[k] = v[k] + 2 * (e[3] * t[k] + u[k]);
}

/* ad u x: (w x v' + v x w', w x w') */
template <int N>
__device__ inline void bracket(const real *u, const real *x, real *out)
{
    for (int k = 0; k < N; k++) out[k] = 0;
    add_cross(u + N - 3, x + N - 3, out + N - 3);
    if (N == 6) {
        add_cross(u + N - 3, x, out);
        add_cross(u, x + N - 3, out);
    }
}

/* x - p ad u x + s ad u ad u x, where p and s are functions of the angle |w|: of the screw as w + e v with e e = 0, so that they
 * too move with v; their derivatives over the angle are dp, ds */
template <int N>
__device__ inline void polynomial(const real *u, real p, real s, real dp, real ds, const real *x, real *out)
{
    real ux[N], uux[N];
    bracket<N>(u, x, ux);
    bracket<N>(u, ux, uux);
    for (int k = 0; k < N; k++) out[k] = x[k] - p * ux[k] + s * uux[k];
    if (N == 6) {
        const real along = dot(u, u + 3);
        for (int k = 0; k < 3; k++) out[k] += along * (ds * uux[3 + k] - dp * ux[3 + k]);
    }
}

/* how q exp(u) changes where q changes by dq and u by du: exp(-ad u) dq + J(u) du */
template <int N>
__device__ inline void moved(const real *u, const real *dq, const real *du, real *out)
{
    const factors f = factors_of(sqrt(dot(u + N - 3, u + N - 3)));
    real by_u[N];
    polynomial<N>(u, f.value[0], f.value[1], f.slope[0], f.slope[1], dq, out);
    polynomial<N>(u, f.value[1], f.value[2], f.slope[1], f.slope[2], du, by_u);
    for (int k = 0; k < N; k++) out[k] += by_u[k];
}

/* q exp(u); entry i of q at i apart */
template <int N>
__device__ inline void move(const real *q, long apart, const real *u, real *out)
{
    const real *w = u + N - 3, angle = sqrt(dot(w, w));
    real e[4], half[4], *to = out + N - 3;
    for (int k = 0; k < 4; k++) e[k] = q[(N - 3 + k) * apart];
    if (N == 6) {
        const factors f = factors_of(angle);
        real uv[3] = {0, 0, 0}, uuv[3] = {0, 0, 0}, way[3];
        add_cross(w, u, uv);
        add_cross(w, uv, uuv);
        for (int k = 0; k < 3; k++) way[k] = u[k] + f.value[1] * uv[k] + f.value[2] * uuv[k];
        turned(e, way, way);
        for (int k = 0; k < 3; k++) out[k] = q[k * apart] + way[k];
    }
    real sine;
    turn(angle / 2, sine, half[3]);
    for (int k = 0; k < 3; k++) half[k] = angle > 0 ? sine / angle * w[k] : w[k] / 2;
    product(e, half, to);
    unite(to); /* rounding does not add up */
}

/* V^-1 x = x - w x x/2 + k w x (w x x) of a turn w, where V = 1 + (1 - cos t)/t^2 w^ + (t - sin t)/t^3 w^ w^ */
__device__ inline void unscrewed(const real *w, const real *x, real *out)
{
    const factors f = factors_of(sqrt(dot(w, w)));
    const real k = -f.slope[1] / (2 * f.value[1]);
    real wx[3] = {0, 0, 0}, wwx[3] = {0, 0, 0};
    add_cross(w, x, wx);
    add_cross(w, wx, wwx);
    for (int i = 0; i < 3; i++) out[i] = x[i] - wx[i] / 2 + k * wwx[i];
}

/* the u that leads from a to b, by the shorter way round; entry i of b at i apart */
template <int N>
__device__ inline void difference(const real *a, const real *b, long apart, real *u)
{
    real back[4], to[4], e[4], *w = u + N - 3;
    for (int k = 0; k < 4; k++) {
        back[k] = k < 3 ? -a[N - 3 + k] : a[N - 3 + k];
        to[k] = b[(N - 3 + k) * apart];
    }
    product(back, to, e);
    const real sine = sqrt(dot(e, e)), angle = 2 * atan2(sine, fabs(e[3]));
    for (int k = 0; k < 3; k++) w[k] = sine > 0 ? (e[3] < 0 ? -angle : angle) / sine * e[k] : real(0);
    if (N == 6) {
        real way[3];
        for (int k = 0; k < 3; k++) way[k] = b[k * apart] - a[k];
        turned(back, way, way);
        unscrewed(w, way, u);
    }
}

/* how this u changes where a changes by da: J(-u) du = -da */
template <int N>
__device__ inline void difference_moved(const real *u, const real *da, real *du)
{
    const real *w = u + N - 3;
    real less[N];
    for (int k = 0; k < N; k++) less[k] = -da[k], du[k] = 0;
    unscrewed(w, less + N - 3, du + N - 3);
    if (N == 6) {
        const factors f = factors_of(sqrt(dot(w, w)));
        real by_turn[N];
        polynomial<N>(u, -f.value[1], f.value[2], -f.slope[1], f.slope[2], du, by_turn); /* J(-u), of the turn alone */
        for (int k = 0; k < 3; k++) less[k] -= by_turn[k];
        unscrewed(w, less, du);
    }
}

/* how u changes in time where q exp(u) moves with velocity v: v + ad u v/2 + ad u ad u v/12, in the place of u */
template <int N>
__device__ inline void rate(real *u, const real *v)
{
    real uv[N], uuv[N];
    bracket<N>(u, v, uv);
    bracket<N>(u, uv, uuv);
    for (int k = 0; k < N; k++) u[k] = v[k] + uv[k] / 2 + uuv[k] / 12;
}

/* its change where u changes by du and v by dv, in the place of dv */
template <int N>
__device__ inline void rate_moved(const real *u, const real *v, const real *du, real *dv)
{
    real uv[N], first[N], second[N], a[N], b[N];
    bracket<N>(u, v, uv);
    bracket<N>(du, v, a);
    bracket<N>(u, dv, b);
    for (int k = 0; k < N; k++) first[k] = a[k] + b[k];
    bracket<N>(du, uv, a);
    bracket<N>(u, first, b);
    for (int k = 0; k < N; k++) second[k] = a[k] + b[k];
    for (int k = 0; k < N; k++) dv[k] += first[k] / 2 + second[k] / 12;
}

} // namespace
