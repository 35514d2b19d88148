using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>Builds the parts of an application's creation: topic number, application and audit entry. Pure.</summary>
internal static class ApplicationCreation
{
    /// <summary>The action name in the audit.</summary>
    public const string Action = "application.create";

    /// <summary>The number for a new application: above all existing ones, since topics are never reused.</summary>
    public static uint NextTopic(IEnumerable<uint> topics) => topics.DefaultIfEmpty().Max() + 1;

    /// <summary>The new application, in generation 1.</summary>
    public static NewApplication Application(uint topic, string name) => new(topic, name, 1);

    /// <summary>The audit entry.</summary>
    public static AuditEntry Audit(string name, string actor, long unixMicros, string note) =>
        new(unixMicros, actor, Action, name, null, note);
}
