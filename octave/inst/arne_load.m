function m = arne_load (name, varargin)
% ARNE_LOAD  read a robot: a URDF, YAML, SDF, MJCF or .par file, or the name of a shipped one
%
%   m = arne_load ('ur5e')
%   m = arne_load ('robot.urdf', 'base', 'free', 'gravity', [0 0 -1.62])
%
%   m.name, m.nq, m.nv        numbers of a position and of a velocity
%   m.mass                    kg
%   m.joints, m.links         their names
%
% Settings, pairs of a name and a value:
%   'base'      'file', 'fixed' or 'free': does the base stand still
%   'mimic'     'follow' or 'independent': joints that mimic others
%   'gravity'   [x y z], m/s^2
%   'rigid'     true: without friction and rotors
%   'friction', 'rotors'      true or false
%   'payload'   {link, mass, [x y z], [xx xy xz yy yz zz]}: kg; centre of mass in the axes of the link, m; inertia about it
%   'wrench'    {link, [fx fy fz mx my mz], 'aligned', [x y z]}: acts ON the link; frame local, world or aligned; at a point
% A payload and a wrench may be given several times. arne_with changes settings, arne_free forgets the robot.
%
% Example:
%   m = arne_load ('planar2r');
%   tau = arne_id (m, [0; 0])             % 58.86, 14.715 Nm
%
% See also: arne_functions, arne_with, arne_robots, arne_demo

% SPDX-License-Identifier: MIT
  if nargin < 1
    error ('arne: arne_load needs the name of a robot: arne_load (''ur5e'')');
  end
  m = arne_mex ('load', char (name), varargin{:});
end
