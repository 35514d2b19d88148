namespace Ripple.Architecture.Tests;

/// <summary>
/// The rooms of a project in a fixed order without circles: a room may use the rooms of the levels below its own; rooms of one level know
/// nothing of each other. A room is a namespace below the project's own, with every namespace below it that is not listed as a room itself.
/// Types in the project's own namespace, which has no room by its name, are placed by name: see <see cref="WithTypes"/>.
/// </summary>
internal sealed class RoomOrder
{
    private readonly string _project;
    private readonly Dictionary<string, int> _levels = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _placed = new(StringComparer.Ordinal);

    /// <param name="project">The project, which is its root namespace too.</param>
    /// <param name="levels">The rooms, level by level, lowest first: <c>Calls</c>, or <c>Protocol.Join</c>.</param>
    public RoomOrder(string project, params string[][] levels)
    {
        _project = project;
        for (int level = 0; level < levels.Length; level++)
        {
            foreach (string room in levels[level])
            {
                _levels.Add(room, level);
            }
        }
    }

    /// <summary>Places types of the project's own namespace in a room of the order, whatever their namespace says.</summary>
    public RoomOrder WithTypes(string room, params string[] types)
    {
        if (!_levels.ContainsKey(room))
        {
            throw new ArgumentException($"The room '{room}' is not in the order.", nameof(room));
        }

        foreach (string type in types)
        {
            _placed.Add($"{_project}.{type}", room);
        }

        return this;
    }

    /// <summary>The room of a type or namespace, by its full name; null when it is in no room.</summary>
    public string? RoomOf(string name)
    {
        if (_placed.TryGetValue(name, out string? placed))
        {
            return placed;
        }

        if (!IsOurs(name))
        {
            return null;
        }

        for (string rest = name; rest.Length > _project.Length; rest = rest[..rest.LastIndexOf('.')])
        {
            if (_levels.ContainsKey(rest[(_project.Length + 1)..]))
            {
                return rest[(_project.Length + 1)..];
            }
        }

        return null;
    }

    /// <summary>
    /// Every use that goes up, or aside to a room of the same level. Uses by and of other projects are none of the order's business.
    /// </summary>
    public IEnumerable<string> Violations(IEnumerable<(string User, string Used)> uses) =>
        from use in uses
        where IsOurs(use.User) && IsOurs(use.Used)
        let userRoom = RoomOf(use.User)
        let usedRoom = RoomOf(use.Used)
        where userRoom is null || usedRoom is null || (userRoom != usedRoom && _levels[usedRoom] >= _levels[userRoom])
        select $"{use.User} ({userRoom ?? "no room"}) uses {use.Used} ({usedRoom ?? "no room"})";

    /// <summary>Types in no room; rooms without a type, and placed types, that do not exist.</summary>
    public IEnumerable<string> Misfits(IEnumerable<string> types)
    {
        string[] ours = [.. types.Where(IsOurs)];
        return
        [
            .. ours.Where(t => RoomOf(t) is null).Select(t => $"{t} lies in no room of the order"),
            .. _levels.Keys.Except(ours.Select(RoomOf), StringComparer.Ordinal).Select(r => $"the room '{r}' of the order has no type"),
            .. _placed.Keys.Except(ours, StringComparer.Ordinal).Select(t => $"{t} is placed in a room and does not exist"),
        ];
    }

    private bool IsOurs(string name) => name.StartsWith(_project + ".", StringComparison.Ordinal);
}
