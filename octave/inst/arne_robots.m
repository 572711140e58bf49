function names = arne_robots ()
% ARNE_ROBOTS  names of the shipped robots, for arne_load
%
%   names = arne_robots ()
%
% See also: arne_load

% SPDX-License-Identifier: MIT
  names = arne_mex ('robots');
end
