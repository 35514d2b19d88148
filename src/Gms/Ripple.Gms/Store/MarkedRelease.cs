using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>The newest release of an application, as a mark remembers it.</summary>
/// <param name="Generation">Its generation.</param>
/// <param name="Release">Its number.</param>
/// <param name="Id">Its id.</param>
internal readonly record struct MarkedRelease(uint Generation, ulong Release, Digest160 Id);
