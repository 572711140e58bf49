function arne_demo ()
% ARNE_DEMO  a first session: torques of a motion, its energy balance, a fall
%
% A UR5e swings along a sine. What its motors give must be what its energy gains and its friction loses; then the motors are
% switched off and it falls.
%
% See also: arne_load, arne_functions

% SPDX-License-Identifier: MIT
  m = arne_load ('ur5e', 'rigid', true);
  fprintf ('%s: %d joints, %.1f kg\n', m.name, m.nv, m.mass);

  % a motion, all states at once: columns
  t = linspace (0, 2, 2001);
  a = [0.5; 0.4; 0.6; 0.3; 0.2; 0.1];
  q = [0; -1.2; 1.3; 0; 0.5; 0] + a .* sin (2 * t);
  qd = 2 * a .* cos (2 * t);
  qdd = -4 * a .* sin (2 * t);
  tau = arne_id (m, q, qd, qdd);
  fprintf ('largest torques: %s Nm\n', num2str (max (abs (tau), [], 2)', '%.1f  '));

  E = arne_energy (m, q, qd);
  work = trapz (t, sum (tau .* qd, 1));
  gain = (E.kinetic(end) + E.potential(end)) - (E.kinetic(1) + E.potential(1));
  fprintf ('work of the motors %.4f J, energy gained %.4f J\n', work, gain);

  % it falls: Runge-Kutta on forward dynamics
  x = [q(:, 1); zeros(6, 1)];
  n = m.nv;
  f = @(x) [x(n+1:end); arne_fd(m, x(1:n), x(n+1:end), zeros (n, 1))];
  E = arne_energy (m, x(1:n), x(n+1:end));
  before = E.kinetic + E.potential;
  h = 0.001;
  for k = 1:300
    k1 = f (x);
    k2 = f (x + h / 2 * k1);
    k3 = f (x + h / 2 * k2);
    k4 = f (x + h * k3);
    x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  end
  E = arne_energy (m, x(1:n), x(n+1:end));
  p = arne_pose (m, x(1:n));
  fprintf ('after 0.3 s of falling the hand is at %.3f %.3f %.3f m\n', p.position);
  fprintf ('energy changed by %.1e J of %.1f J in motion\n', E.kinetic + E.potential - before, E.kinetic);
  arne_free (m);
end
