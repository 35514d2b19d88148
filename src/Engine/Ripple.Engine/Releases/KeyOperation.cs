namespace Ripple.Engine.Releases;

/// <summary>What a release does to one key. The values are in every stored header.</summary>
internal enum KeyOperation
{
    /// <summary>The key has this value from now on.</summary>
    Set = 0,

    /// <summary>The key is gone from now on.</summary>
    Remove = 1,
}
