function n = arne_with (m, varargin)
% ARNE_WITH  the same robot with other settings; m stays as it is
%
%   n = arne_with (m, 'gravity', [0 0 0])
%   n = arne_with (m, 'payload', {'tool0', 2, [0 0 0.1]})
%   n = arne_with (m, 'wrench', {'tool0', [0 0 -10 0 0 0]}, 'wrench', {'elbow', [5 0 0 0 0 0]})
%
% Settings are those of arne_load, but base and mimic, which make another robot. What m has set holds; a wrench comes to those
% that act, a payload replaces that of its link.
%
% Example:
%   m = arne_load ('planar2r');
%   arne_gravity (arne_with (m, 'gravity', [0 0 0]), [0; 0])          % 0, 0
%
% See also: arne_load

% SPDX-License-Identifier: MIT
  n = arne_mex ('with', m, varargin{:});
end
