function v = arne_difference (m, a, b)
% ARNE_DIFFERENCE  the velocity that leads from a to b in a unit of time: what arne_integrate undoes
%
%   v = arne_difference (m, a, b)
%
%   a, b  nq x N
%   v     nv x N
%
% See also: arne_integrate, arne_neutral

% SPDX-License-Identifier: MIT
  v = arne_mex ('difference', m, a, b);
end
