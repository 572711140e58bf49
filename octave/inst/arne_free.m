function arne_free (m)
% ARNE_FREE  forget a robot: m, and what arne_with made of others, is no robot from now on
%
%   arne_free (m)
%
% Needed only by scripts that load thousands of them.
%
% See also: arne_load

% SPDX-License-Identifier: MIT
  arne_mex ('free', m);
end
