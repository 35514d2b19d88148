using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>Builds the parts of an application's creation: topic number, application and audit entry. Pure.</summary>
internal static class ApplicationCreation
{
    /// <summary>The action name in the audit.</summary>
    public const string Action = "application.create";

    /// <summary>The number for a new application: above all existing ones, since topics are never reused.</summary>
    public static uint NextTopic(IEnumerable<uint> topics) => topics.DefaultIfEmpty().Max() + 1;

    /// <summary>The new application.</summary>
    /// <param name="topic">Its topic number.</param>
    /// <param name="name">Its name.</param>
    /// <param name="generation">Its generation; see <see cref="HostState.GenerationMin"/>.</param>
    public static NewApplication Application(uint topic, string name, uint generation) => new(topic, name, generation);

    /// <summary>The audit entry.</summary>
    public static AuditEntry Audit(string name, string actor, long unixMicros, string note) =>
        new(unixMicros, actor, Action, name, null, note);
}
