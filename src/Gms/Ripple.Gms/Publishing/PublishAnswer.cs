using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Publishing;

/// <summary>What became of a publish.</summary>
/// <param name="Code">None when it is committed.</param>
/// <param name="Text">What to do otherwise.</param>
/// <param name="Generation">The generation of <paramref name="Release"/>.</param>
/// <param name="Release">The committed release, or the newest one when another was expected.</param>
/// <param name="Id">Its id.</param>
internal sealed record PublishAnswer(ErrorCode Code, string Text, uint Generation, ulong Release, Digest160 Id);
