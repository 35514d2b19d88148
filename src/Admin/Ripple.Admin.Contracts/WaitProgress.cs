namespace Ripple.Admin.Contracts;

/// <summary>The progress of a wait.</summary>
/// <param name="Holding">The number of members that have the release.</param>
/// <param name="Total">The number of members bound to the wait.</param>
public sealed record WaitProgress(int Holding, int Total)
{
    /// <summary>The generation of the release that is waited for: name it to ask again. 0 until the host has said it.</summary>
    public uint Generation { get; init; }
}
