namespace Ripple.Engine.Rings;

/// <summary>
/// Receives the content of a finished round, position by position; a position is an index into the members of the view it was read with.
/// Levels are lower bounds of the members' reports: use them only to raise values. They are only as trustworthy as the members of the
/// region.
/// </summary>
internal interface IAggregateHandler
{
    /// <summary>A member did not answer in this round. Called before all others.</summary>
    void OnSilent(int position);

    /// <summary>
    /// All members of one stream that count and answered have everything up to <paramref name="minContiguous"/>, held back by the member at
    /// <paramref name="minPosition"/>.
    /// </summary>
    void OnStream(ulong origin, ulong minContiguous, int minPosition);

    /// <summary>Levels of one member in one topic; 0 where unknown, or not exact.</summary>
    void OnLevels(int position, uint topic, uint generation, ulong received, ulong persisted, ulong applied);

    /// <summary>A member rejected a release. Repeated until a round that contains it was acknowledged.</summary>
    void OnRejection(int position, uint topic, uint generation, ulong release, string reason);
}
