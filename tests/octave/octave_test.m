% SPDX-License-Identifier: MIT
% octave_test.m - the functions of build/octave beside the program, by hand, in their help, with wrong arguments, as a package.
function octave_test (build, top)
  addpath (fullfile (build, 'octave'));
  quantities = listed ();
  for robot = {'planar2r', 'scara', 'quadruped'}
    beside_the_program (fullfile (build, 'arne'), fullfile (top, 'robots', [robot{1} '.yaml']), quantities);
  end
  by_hand ();
  helps (quantities);
  refusals (top);
  demonstration ();
  package (build);
  disp ('ok');
end

% names of quantities, as arne_functions lists them
function names = listed ()
  names = regexp (get_help_text ('arne_functions'), '^ +arne_(\w+) +\w', 'tokens', 'lineanchors');
  names = cellfun (@(t) t{1}, names, 'UniformOutput', false);
  assert (numel (names) > 20);
end

% two states, every quantity: equal to what the program prints
function beside_the_program (program, file, quantities)
  m = arne_load (file);
  one = @(by) [sin(by + (1:m.nv)'), sin(2 * by + 1.7 * (1:m.nv)')];
  x.q = arne_integrate (m, repmat (arne_neutral (m), 1, 2), one (0.3));
  x.qd = one (1);
  x.qdd = one (2);
  x.tau = one (3);
  x.qa = one (4);
  header = '';
  table = [];
  for group = fieldnames (x)'
    header = [header, sprintf([group{1} '%d,'], 1:rows (x.(group{1})))];
    table = [table; x.(group{1})];
  end
  input = [tempname() '.csv'];
  f = fopen (input, 'w');
  fprintf (f, '%s\n', header(1:end-1));
  fprintf (f, [repmat('%.17g,', 1, rows (table) - 1), '%.17g\n'], table);
  fclose (f);
  [status, text] = system (sprintf ('%s eval %s --want %s --in %s --format json', program, file, strjoin (quantities, ','), input));
  delete (input);
  assert (status, 0);
  said = cellfun (@jsondecode, strsplit (strtrim (text), "\n"), 'UniformOutput', false);
  for name = quantities
    order = regexp (get_help_text (['arne_' name{1}]), 'arne_\w+ \(m, ([^)]*)\)', 'tokens', 'once');
    inputs = cellfun (@(g) x.(g), strsplit (order{1}, ', '), 'UniformOutput', false);
    got = feval (['arne_' name{1}], m, inputs{:});
    for k = 1:2
      compare ([m.name ' ' name{1}], got, said{k}.(name{1}), k);
    end
  end
  arne_free (m);
end

function compare (what, got, said, k)
  if isstruct (got)
    assert (sort (fieldnames (got)), sort (fieldnames (said)));
    for part = fieldnames (got)'
      compare ([what ' ' part{1}], got.(part{1}), said.(part{1}), k);
    end
    return
  end
  if ndims (got) == 4
    got = got(:, :, :, k);
  elseif ndims (got) == 3
    got = got(:, :, k);
  elseif columns (got) == 2
    got = got(:, k);
    said = said(:);
  end
  off = max (abs (got(:) - reshape (said, size (got))(:)));
  if off > 1e-12 * max (1, max (abs (said(:))))
    error ('%s is off by %g', what, off);
  end
end

% doc/conventions.md has these numbers by hand; an arm of 2 m along x carries its load there
function by_hand ()
  m = arne_load ('planar2r');
  assert ([m.nq, m.nv, numel(m.links)], [2, 2, 3]);
  assert (arne_id (m, [0; 0]), [58.86; 14.715], 1e-12);
  assert (arne_mass (m, [0; 0]), [8, 2.5; 2.5, 1], 1e-12);
  x = arne_pose (m, [0; 0]).position(1);
  n = arne_with (m, 'payload', {'j2', 2});
  assert (arne_gravity (n, [0; 0])(1), 58.86 + 2 * 9.81 * x, 1e-12);
  assert (arne_gravity (m, [0; 0])(1), 58.86, 1e-12);
  n = arne_with (m, 'gravity', [0 0 0], 'wrench', {'j2', [0 20 0 0 0 0]});
  assert (arne_id (n, [0; 0])(1), -20 * x, 1e-12);
  assert (arne_id (arne_with (n, 'wrench', {3, [0 -20 0 0 0 0], 'local', [0 0 0]}), [0; 0])(1), 0, 1e-12);
  J = arne_jacobian (m, [0.3; -0.5], 'frame', 'local');
  v = arne_velocity (m, [0.3; -0.5], [1; 2], 'frame', 'local');
  assert (J * [1; 2], v, 1e-12);
  assert (arne_pose (m, [0.3; -0.5], 'link', 'j1').position(1:2) != arne_pose (m, [0.3; -0.5]).position(1:2));
  assert (any (strcmp (arne_robots (), 'ur5e')));
  free = arne_load ('ur5e', 'base', 'free');
  assert ([free.nq, free.nv], [13, 12]);
  q = arne_integrate (free, arne_neutral (free), (1:12)' / 10);
  assert (arne_difference (free, arne_neutral (free), q), (1:12)' / 10, 1e-12);
end

% every example runs; shapes and a formula are told
function helps (quantities)
  for name = [strcat('arne_', quantities), {'arne_load', 'arne_with', 'arne_integrate'}]
    text = get_help_text (name{1});
    example = regexp (text, 'Example:\n(.*?)\n\s*\n', 'tokens', 'once');
    assert (! isempty (example));
    evalc (example{1});
  end
  text = get_help_text ('arne_id');
  for words = {'inverse dynamics', 'tau = M(q) qdd + c(q, qd)', 'qd   nv x N', 'tau  nv x N  Nm'}
    assert (! isempty (strfind (text, words{1})), 'help arne_id lacks %s', words{1});
  end
end

function refused (words, f, varargin)
  try
    f (varargin{:});
  catch e
    if isempty (strfind (e.message, words))
      error ('said "%s", not "%s"', e.message, words);
    end
    return
  end
  error ('not refused: %s', words);
end

function refusals (top)
  m = arne_load ('planar2r');
  refused ('id: q is 1 x 2, not 2 x N: columns are states', @arne_id, m, [0, 0]);
  refused ('id: qd is 2 x 3, not 2 x 1: columns are states', @arne_id, m, [0; 0], zeros (2, 3));
  refused ('id: q is no full matrix of real doubles', @arne_id, m, {});
  refused ('id: q is no full matrix of real doubles', @arne_id, m, single ([0; 0]));
  refused ('id: q is no full matrix of real doubles', @arne_id, m, [1i; 0]);
  refused ('id takes q qd qdd, then pairs of a name and a value', @arne_id, m, [0; 0], [0; 0], [0; 0], [0; 0]);
  refused ('id has no option link', @arne_id, m, [0; 0], 'link', 'j1');
  refused ('planar2r has no link elbow: see m.links', @arne_pose, m, [0; 0], 'link', 'elbow');
  refused ('planar2r has links 1 ... 3, no link 4', @arne_pose, m, [0; 0], 'link', 4);
  refused ('frame is one of local, world, aligned, not tool', @arne_jacobian, m, [0; 0], 'frame', 'tool');
  refused ('there is no setting speed', @arne_load, 'planar2r', 'speed', 3);
  refused ('settings are pairs', @arne_load, 'planar2r', 'rigid');
  refused ('base is for arne_load', @arne_with, m, 'base', 'free');
  refused ('this payload cannot exist', @arne_with, m, 'payload', {'j2', -1});
  refused ('the first argument is no robot', @arne_id, 3, [0; 0]);
  refused ('planar9r', @arne_load, 'planar9r');
  refused ('a.urdf:3: ', @arne_load, broken ('a.urdf'));
  n = arne_with (m, 'rigid', true);
  arne_free (m);
  refused ('this robot was freed', @arne_id, m, [0; 0]);
  assert (arne_id (n, [0; 0]), [58.86; 14.715], 1e-12);
  m.handle = 7;
  refused ('the first argument is no robot', @arne_id, m, [0; 0]);
  clear -all
  assert (exist ('n'), 0);
end

function path = broken (name)
  folder = tempname ();
  mkdir (folder);
  path = fullfile (folder, name);
  f = fopen (path, 'w');
  fprintf (f, '<robot name="r">\n<link name="a"/>\n<joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint>\n</robot>\n');
  fclose (f);
end

% work is what the energy gains; a fall keeps it
function demonstration ()
  text = evalc ('arne_demo');
  w = sscanf (regexp (text, 'work.*', 'match', 'once', 'dotexceptnewline'), 'work of the motors %f J, energy gained %f J');
  assert (w(1), w(2), 1e-3);
  e = sscanf (regexp (text, 'energy changed.*', 'match', 'once', 'dotexceptnewline'), 'energy changed by %f J of %f J');
  assert (abs (e(1)) < 1e-6 && e(2) > 1);
end

% a place of its own, not the user's
function package (build)
  place = tempname ();
  mkdir (place);
  pkg ('prefix', place, place);
  pkg ('local_list', fullfile (place, 'list'));
  files = glob (fullfile (build, 'octave', 'arne-*.tar.gz'));
  evalc (sprintf ("pkg ('install', '-nodeps', '%s')", files{1}));
  rmpath (fullfile (build, 'octave'));
  pkg ('load', 'arne');
  assert (strncmp (which ('arne_id'), place, numel (place)));
  assert (arne_id (arne_load ('planar2r'), [0; 0]), [58.86; 14.715], 1e-12);
  confirm_recursive_rmdir (false, 'local');
  rmdir (place, 's');
end
