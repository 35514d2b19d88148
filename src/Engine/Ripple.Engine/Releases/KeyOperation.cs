namespace Ripple.Engine.Releases;

/// <summary>What a release does to one key. The numbers are part of every stored header.</summary>
internal enum KeyOperation
{
    /// <summary>The key is set to a new value.</summary>
    Set = 0,

    /// <summary>The key is removed.</summary>
    Remove = 1,
}
