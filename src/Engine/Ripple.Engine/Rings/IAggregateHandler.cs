namespace Ripple.Engine.Rings;

/// <summary>
/// Takes what a finished round says, position by position; a position is an index into the members of the view it was read with. Levels are
/// lower bounds of what the member told: raise by them, never lower. They are as honest as the members of the region, no more.
/// </summary>
internal interface IAggregateHandler
{
    /// <summary>A member did not answer in this round. Called before everything else.</summary>
    void OnSilent(int position);

    /// <summary>All members of one stream that count and answered have everything up to a sequence.</summary>
    void OnStream(ulong origin, ulong minContiguous, int minPosition);

    /// <summary>Levels of one member in one topic; 0 where nothing is known, or nothing exact.</summary>
    void OnLevels(int position, uint topic, uint generation, ulong received, ulong persisted, ulong applied);

    /// <summary>A member rejects a release. Told again until a round with it was acknowledged.</summary>
    void OnRejection(int position, uint topic, uint generation, ulong release, string reason);
}
