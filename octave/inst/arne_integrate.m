function p = arne_integrate (m, q, v)
% ARNE_INTEGRATE  where a robot comes from q that moves for a unit of time with velocity v
%
%   p = arne_integrate (m, q, v)
%
%   q  nq x N
%   v  nv x N
%   p  nq x N    q + v; free and spherical joints go along a screw
%
% Example:
%   m = arne_load ('planar2r');
%   q = arne_integrate (m, arne_neutral (m), [0.1; 0.2])
%
% See also: arne_difference, arne_neutral

% SPDX-License-Identifier: MIT
  p = arne_mex ('integrate', m, q, v);
end
