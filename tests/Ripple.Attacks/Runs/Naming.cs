using Ripple.Attacks.Stages;

namespace Ripple.Attacks.Runs;

/// <summary>Whether a warning of the host or of a victim names the attacker, so that an operator knows whom to look for.</summary>
internal static class Naming
{
    /// <summary>How notes begin that tell the attacker's node ids.</summary>
    public const string NodeNote = "node:";

    /// <summary>Levels of the host's log that operators look at.</summary>
    private static readonly string[] Levels = [" warn: ", " fail: ", " crit: "];

    /// <summary>A connection that ended names everybody who goes, and says nothing of an attack.</summary>
    private static readonly string[] Ordinary = ["The other side", "connection broke", "heartbeat"];

    public static bool IsNamed(Stage stage, int loggedBefore)
    {
        string[] names =
        [
            Stage.Mallory,
            .. stage.AttackerTokens,
            .. stage.Notes.Keys.Where(n => n.StartsWith(NodeNote, StringComparison.Ordinal)).Select(n => n[NodeNote.Length..]),
        ];
        IEnumerable<string> warnings = stage.Host.Log.Skip(loggedBefore).Where(l => Levels.Any(l.Contains));
        return warnings.Concat(stage.Victims.SelectMany(v => v.Log)).Any(l => names.Any(l.Contains) && !Ordinary.Any(l.Contains));
    }
}
