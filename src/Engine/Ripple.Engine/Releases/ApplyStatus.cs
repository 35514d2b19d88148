namespace Ripple.Engine.Releases;

/// <summary>Whether a header follows a state, and if not, why.</summary>
internal enum ApplyStatus
{
    /// <summary>It follows; the next state is there.</summary>
    Applied = 0,

    /// <summary>It is the release the state is at: same number, same id. Nothing to do.</summary>
    AlreadyApplied,

    /// <summary>Its number is beyond the next: hold it until its predecessors come.</summary>
    TooEarly,

    /// <summary>Its number is not above the state's, and it is not the state's own release: old, or of another history.</summary>
    WrongRelease,

    /// <summary>It is the next number but names another predecessor: the histories differ, and only a snapshot helps.</summary>
    WrongPrevious,

    /// <summary>Its generation is not the state's, or begins one without being above it.</summary>
    WrongGeneration,

    /// <summary>It is of another application.</summary>
    WrongApplication,

    /// <summary>It follows, but the state it leads to is not the one it names: who made it or who holds this state is wrong.</summary>
    RootMismatch,
}
