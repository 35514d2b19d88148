namespace Ripple.Gms;

/// <summary>An event of interest to operators. Posted by the core, logged by a thread outside it.</summary>
/// <param name="Kind">The kind of event.</param>
/// <param name="Subject">The subject of the event.</param>
/// <param name="Detail">Details, for display.</param>
internal readonly record struct GmsEvent(GmsEventKind Kind, string Subject, string Detail);
