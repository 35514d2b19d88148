namespace Ripple.Engine.Releases;

/// <summary>What a release does. The numbers are part of every stored header.</summary>
internal enum ReleaseKind
{
    /// <summary>Sets and removes keys.</summary>
    Changes = 0,

    /// <summary>Makes an earlier release visible to the nodes of a selector; its record is the header's extension.</summary>
    Activation = 1,

    /// <summary>Begins a generation: the application was created, or its store restored. May change keys too.</summary>
    Creation = 2,
}
