namespace Ripple.Engine.Protocol.Joining;

/// <summary>The newest committed release of one application.</summary>
/// <param name="Application">The application.</param>
/// <param name="Topic">Its number.</param>
/// <param name="Generation">Its generation.</param>
/// <param name="SlotEpoch">The slot epoch of its primary.</param>
/// <param name="Release">The newest committed release; 0 for none.</param>
/// <param name="Id">That release's id.</param>
internal sealed record TopicState(string Application, uint Topic, uint Generation, uint SlotEpoch, ulong Release, Releases.Digest160 Id);
