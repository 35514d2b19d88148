namespace Ripple.Testing.Disks;

/// <summary>What becomes of the mark beside a store when the store is replaced by a copy.</summary>
internal enum MarkFate
{
    /// <summary>It stays: somebody put a copy of the store into the place of the store.</summary>
    Kept,

    /// <summary>It is gone: the copy was put where no host was before.</summary>
    Lost,

    /// <summary>It is the one of then: the whole directory was copied.</summary>
    Copied,
}
