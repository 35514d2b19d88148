namespace Ripple.Gms;

/// <summary>Something an operator may want to read. The core hands it out; a thread outside logs it.</summary>
/// <param name="Kind">What happened.</param>
/// <param name="Subject">Whom or what it is about.</param>
/// <param name="Detail">The rest, for people.</param>
internal readonly record struct GmsEvent(GmsEventKind Kind, string Subject, string Detail);
