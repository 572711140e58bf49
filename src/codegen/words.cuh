/* Words of the lines below. On a device a product is never contracted with a sum: with -DARNE_FMA=1 it may be, which is up to a
 * fifth faster, and the bits are no longer those of a processor. Sines are our own, with the bits of a processor; with
 * -DARNE_TURNS=1 they are the device's (and with -use_fast_math those of floats its quick ones). */
#ifndef ARNE_FMA
#define ARNE_FMA 0
#endif
#ifndef ARNE_TURNS
#define ARNE_TURNS 0
#endif
#if defined(__CUDACC__)
#define @_INLINE __host__ __device__ __forceinline__
#define @_APART __host__ __device__ __noinline__
#else /* any C++ compiler: the same functions of the processor */
#include <math.h>
#include <string.h>
#ifndef __host__
#define __host__
#endif
#ifndef __device__
#define __device__
#endif
#define @_INLINE inline
#if defined(__GNUC__)
#define @_APART __attribute__((noinline))
#else
#define @_APART
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
#endif

namespace @_words {

@_INLINE double mul(double a, double b)
{
#if defined(__CUDA_ARCH__) && !ARNE_FMA
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
}
@_INLINE float mul(float a, float b)
{
#if defined(__CUDA_ARCH__) && !ARNE_FMA
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}
@_INLINE double root(double x) { return sqrt(x); }
@_INLINE float root(float x) { return sqrtf(x); }
@_INLINE double absolute(double x) { return fabs(x); }
@_INLINE float absolute(float x) { return fabsf(x); }
@_INLINE double least(double a, double b) { return fmin(a, b); }
@_INLINE float least(float a, float b) { return fminf(a, b); }
@_INLINE double most(double a, double b) { return fmax(a, b); }
@_INLINE float most(float a, float b) { return fmaxf(a, b); }
@_INLINE double expo(double x) { return exp(x); }
@_INLINE float expo(float x) { return expf(x); }
@_INLINE double power(double a, double b) { return pow(a, b); }
@_INLINE float power(float a, float b) { return powf(a, b); }
template <class T>
@_INLINE T sign(T x)
{
    return T((x > T(0)) - (x < T(0)));
}

@_INLINE long long bits(double x)
{
#if defined(__CUDA_ARCH__)
    return __double_as_longlong(x);
#else
    long long b;
    memcpy(&b, &x, sizeof b);
    return b;
#endif
}
@_INLINE double number(long long b)
{
#if defined(__CUDA_ARCH__)
    return __longlong_as_double(b);
#else
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
#endif
}
@_INLINE int bits(float x)
{
#if defined(__CUDA_ARCH__)
    return __float_as_int(x);
#else
    int b;
    memcpy(&b, &x, sizeof b);
    return b;
#endif
}
@_INLINE float number(int b)
{
#if defined(__CUDA_ARCH__)
    return __int_as_float(b);
#else
    float x;
    memcpy(&x, &b, sizeof x);
    return x;
#endif
}

@_INLINE bool near(double x)
{
#if defined(__CUDA_ARCH__) && ARNE_TURNS
    return true;
#else
    return (bits(mul(x, 0x1.45f306dc9c883p-1) + 0x1.800000001p52) ^ bits(0x1.800000001p52)) >> 17 == 0;
#endif
}
@_INLINE bool near(float x)
{
#if defined(__CUDA_ARCH__) && ARNE_TURNS
    return true;
#else
    return fabsf(x) <= 1e5f;
#endif
}
/* An angle that is not near, and what is no number: by libm; on a device by half turns, exact for an angle that differs from x by
 * no more than rounding. Of other angles nothing changes. */
@_INLINE void far_turn(double x, double &s, double &c)
{
    if (near(x)) return;
#if defined(__CUDA_ARCH__)
    sincospi(x * 0.31830988618379067, &s, &c);
#else
    s = sin(x), c = cos(x);
#endif
}
@_INLINE void far_turn(float x, float &s, float &c)
{
    if (near(x)) return;
#if defined(__CUDA_ARCH__)
    sincospif(x * 0.318309886f, &s, &c);
#else
    s = sinf(x), c = cosf(x);
#endif
}
/* -x where the bit 2 of the quadrant is set */
@_INLINE double signed_by(long long quadrant, double x)
{
#if defined(__CUDA_ARCH__)
    return __hiloint2double(__double2hiint(x) ^ (((int)quadrant & 2) << 30), __double2loint(x));
#else
    return quadrant & 2 ? -x : x;
#endif
}
@_INLINE float signed_by(int quadrant, float x)
{
#if defined(__CUDA_ARCH__)
    return __int_as_float(__float_as_int(x) ^ ((quadrant & 2) << 30));
#else
    return quadrant & 2 ? -x : x;
#endif
}

/* Sine and cosine; error below 1 ulp up to 2^16 quarter turns. On a processor k = t - 0x1.800000001p52 and
 * r = x - k * 0x1.921fb544p+0 go by way of integers (bits 61 and 62 are zero): -ffast-math would fold them. */
@_INLINE void turn(double x, double &s, double &c)
{
#if defined(__CUDA_ARCH__) && ARNE_TURNS
    sincos(x, &s, &c);
#else
    const double t = mul(x, 0x1.45f306dc9c883p-1) + 0x1.800000001p52;
    const long long quadrant = bits(t);
#if defined(__CUDA_ARCH__)
    const double k = t - 0x1.800000001p52, r = x - mul(k, 0x1.921fb544p+0);
#else
    const double k = number(quadrant & ~(1LL << 61)) - 0x1.800000001p52;
    const double r = number(bits(x - mul(k, 0x1.921fb544p+0)) & ~(1LL << 62));
#endif
    const double v = mul(k, 0x1.0b4611a6p-34), y = r - v, w = mul(k, 0x1.3198a2e037073p-69) - ((r - y) - v);
    const double z = mul(y, y), z2 = mul(z, z);
    const double p = (mul(z, 0x1.111111110f85dp-7) + -0x1.5555555555549p-3) +
                     mul(z2, (mul(z, 0x1.71de35745e67fp-19) + -0x1.a01a019c0ddafp-13) +
                                 mul(z2, mul(z, 0x1.5d92342a70389p-33) + -0x1.ae5e6389a874fp-26));
    const double q = (mul(z, -0x1.6c16c16c15fbap-10) + 0x1.5555555555552p-5) +
                     mul(z2, (mul(z, -0x1.27e4f906850d9p-22) + 0x1.a01a019e137fcp-16) +
                                 mul(z2, mul(z, -0x1.9004a1563fa85p-37) + 0x1.1eea94fb72966p-29));
    const double half = mul(z, 0.5), rest = 1.0 - half;
    const double sy = y + (mul(y, mul(z, p)) - mul(w, rest));
    const double cy = rest + (((1.0 - rest) - half) + (mul(z2, q) + mul(y, w)));
    const double sn = quadrant & 1 ? cy : sy, cn = quadrant & 1 ? sy : cy;
    s = signed_by(quadrant, sn);
    c = signed_by(quadrant + 1, cn);
#endif
}

/* the same in floats, error below 6e-8 */
@_INLINE void turn(float x, float &s, float &c)
{
#if defined(__CUDA_ARCH__) && ARNE_TURNS
    sincosf(x, &s, &c);
#else
    const float t = mul(x, 0x1.45f306p-1f) + 0x1.8p23f;
    const int quadrant = bits(t);
#if defined(__CUDA_ARCH__)
    const float k = t - 0x1.8p23f, r = (x - mul(k, 0x1.92p+0f)) - mul(k, 0x1.fap-12f);
#else
    const int none = quadrant & (1 << 29);
    const float k = number(quadrant + 1) - 0x1.800002p23f, first = number(bits(x - mul(k, 0x1.92p+0f)) ^ none);
    const float r = number(bits(first - mul(k, 0x1.fap-12f)) ^ none);
#endif
    const float third = mul(k, 0x1.54p-20f), fourth = mul(k, 0x1.10b462p-30f);
    const float v = third + fourth, y = r - v, w = (fourth - (v - third)) - ((r - y) - v);
    const float z = mul(y, y), z2 = mul(z, z);
    const float p = mul(mul(z, -0x1.991a54p-13f) + 0x1.1106c8p-7f, z) + -0x1.555544p-3f;
    const float q = (mul(z, -0x1.6c0e84p-10f) + 0x1.55554ep-5f) + mul(z2, 0x1.9a7edp-16f);
    const float half = mul(z, 0.5f), rest = 1.0f - half;
    const float sy = y + (mul(y, mul(z, p)) - mul(w, rest));
    const float cy = rest + (((1.0f - rest) - half) + (mul(z2, q) + mul(y, w)));
    const float sn = quadrant & 1 ? cy : sy, cn = quadrant & 1 ? sy : cy;
    s = signed_by(quadrant, sn);
    c = signed_by(quadrant + 1, cn);
#endif
}
