using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>What it takes to create an application: its number, and one transaction with its audit line. Pure.</summary>
internal static class ApplicationCreation
{
    /// <summary>The audit's word for it.</summary>
    public const string Action = "application.create";

    /// <summary>The number for a new application: topics are never given again, so it lies above all there were.</summary>
    public static uint NextTopic(IEnumerable<uint> topics) => topics.DefaultIfEmpty().Max() + 1;

    /// <summary>The application itself, in its first generation.</summary>
    public static NewApplication Application(uint topic, string name) => new(topic, name, 1);

    /// <summary>The audit line.</summary>
    public static AuditEntry Audit(string name, string actor, long unixMicros, string note) =>
        new(unixMicros, actor, Action, name, null, note);
}
