namespace Ripple.Engine.Frontier;

/// <summary>A release that a node refused to apply.</summary>
/// <param name="Topic">The application's number.</param>
/// <param name="Generation">Its generation.</param>
/// <param name="Release">The release.</param>
/// <param name="Reason">The reason, in at most 512 bytes.</param>
internal sealed record RejectionRow(uint Topic, uint Generation, ulong Release, string Reason)
{
    /// <summary>The longest reason, in UTF-8 bytes.</summary>
    internal const int ReasonBytesMax = 512;
}
