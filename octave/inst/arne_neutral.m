function q = arne_neutral (m)
% ARNE_NEUTRAL  the position in which nothing is turned or moved: zeros, quaternions 0 0 0 1
%
%   q = arne_neutral (m)            nq x 1
%
% See also: arne_integrate, arne_difference

% SPDX-License-Identifier: MIT
  q = arne_mex ('neutral', m);
end
