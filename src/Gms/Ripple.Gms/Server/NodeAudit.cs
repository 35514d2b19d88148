using System.Globalization;
using System.Text;
using Ripple.Engine.Memory;
using Ripple.Engine.Regions;
using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// Gathers which nodes enrolled and which were expelled, for lines of the audit that name many: a node enrols at every start, and thousands
/// start at once. Any thread.
/// </summary>
/// <param name="clock">The time of day.</param>
/// <param name="hostName">The host, which is the actor of an expulsion: who ended the right has a line of his own.</param>
internal sealed class NodeAudit(IWallClock clock, string hostName)
{
    /// <summary>The most lines that wait; nodes that would need another are counted in one.</summary>
    public const int LinesMax = 256;

    /// <summary>The characters up to which a line names nodes; further ones are counted.</summary>
    private const int NamesCharsMax = 3_000;

    private const string Enrol = "node.enrol";
    private const string Expel = "node.expel";

    private readonly Lock _lock = new();
    private readonly Dictionary<Line, Nodes> _lines = [];

    public static void AddMemory(MemoryBudget budget) => budget.Add(
        MemoryScope.Process, MemoryKind.Retained, "enrolments and expulsions for the audit", LinesMax + 2, 4 * NamesCharsMax);

    /// <summary>A node got a certificate.</summary>
    /// <param name="identity">What the certificate says.</param>
    /// <param name="name">What the node calls itself; checked before.</param>
    public void OnEnrolled(NodeIdentity identity, string name)
    {
        Add(new Line(Enrol, $"token:{identity.TokenId}", identity.Application, ""), $"{name} ({identity.NodeId})");
    }

    /// <summary>A member was sent away.</summary>
    /// <param name="node">The node.</param>
    /// <param name="name">What it calls itself; checked at its join.</param>
    /// <param name="application">Its application.</param>
    /// <param name="reason">Why.</param>
    public void OnExpelled(NodeId node, string name, string application, string reason) =>
        Add(new Line(Expel, $"host:{hostName}", application, reason), $"{name} ({node})");

    /// <summary>The lines of what happened since the last call, none of which is given again.</summary>
    public IReadOnlyList<AuditEntry> Take()
    {
        lock (_lock)
        {
            long nowMicros = clock.UnixMicros;
            AuditEntry[] entries =
            [
                .. _lines
                    .OrderBy(l => l.Key.Application, StringComparer.Ordinal)
                    .ThenBy(l => l.Key.Actor, StringComparer.Ordinal)
                    .Select(l => new AuditEntry(
                        nowMicros, l.Key.Actor, l.Key.Action, l.Key.Application, null, l.Value.Describe(l.Key.Reason))),
            ];
            _lines.Clear();
            return entries;
        }
    }

    private void Add(Line line, string node)
    {
        lock (_lock)
        {
            if (!_lines.TryGetValue(line, out Nodes? nodes))
            {
                Line own = _lines.Count < LinesMax ? line : new Line(line.Action, $"host:{hostName}", null, "of many tokens");
                nodes = _lines.TryGetValue(own, out Nodes? shared) ? shared : _lines[own] = new Nodes();
            }

            nodes.Add(node);
        }
    }

    private readonly record struct Line(string Action, string Actor, string? Application, string Reason);

    private sealed class Nodes
    {
        private readonly StringBuilder _names = new();
        private int _count;
        private int _namedCount;

        public void Add(string node)
        {
            _count++;
            if (_names.Length + node.Length + 2 <= NamesCharsMax)
            {
                _names.Append(_namedCount++ == 0 ? "" : ", ").Append(node);
            }
        }

        public string Describe(string reason) => string.Create(
            CultureInfo.InvariantCulture,
            $"{(_count == 1 ? "" : $"{_count} nodes: ")}{_names}{(_namedCount < _count ? $" and {_count - _namedCount} more" : "")}"
                + $"{(reason.Length > 0 ? $": {reason}" : "")}");
    }
}
