using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Publishing;

/// <summary>The outcome of a publish.</summary>
/// <param name="Code">None if it was committed.</param>
/// <param name="Text">The problem and the remedy; empty if it was committed.</param>
/// <param name="Generation">The generation of <paramref name="Release"/>.</param>
/// <param name="Release">The committed release; if refused, the newest one, or 0 when it was refused before ordering.</param>
/// <param name="Id">Its id.</param>
internal sealed record PublishAnswer(ErrorCode Code, string Text, uint Generation, ulong Release, Digest160 Id);
