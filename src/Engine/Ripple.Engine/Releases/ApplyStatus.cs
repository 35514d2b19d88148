namespace Ripple.Engine.Releases;

/// <summary>Whether a header follows a state, and if not, why not.</summary>
internal enum ApplyStatus
{
    /// <summary>It follows; the next state was computed.</summary>
    Applied = 0,

    /// <summary>It is the release the state is at: same number, same id. Nothing to do.</summary>
    AlreadyApplied,

    /// <summary>Its number is above the next one: hold it until its predecessors arrive.</summary>
    TooEarly,

    /// <summary>Its number is not above the state's, and it is not the state's own release: it is old, or from another history.</summary>
    WrongRelease,

    /// <summary>It has the next number but names another predecessor: the histories differ, and only a snapshot helps.</summary>
    WrongPrevious,

    /// <summary>It continues a generation other than the state's, or begins one that is not above it.</summary>
    WrongGeneration,

    /// <summary>It belongs to another application.</summary>
    WrongApplication,

    /// <summary>It follows, but the resulting state is not the one it names: either the header or the local state is wrong.</summary>
    RootMismatch,
}
