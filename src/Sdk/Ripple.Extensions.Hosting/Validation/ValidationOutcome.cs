namespace Ripple.Extensions.Hosting.Validation;

/// <summary>The result of validating a release with a container's options.</summary>
/// <param name="Guard">The validator of that container.</param>
/// <param name="Failures">The problems found, for display, without values; empty if there are none.</param>
/// <param name="Hashes">For each options object that could be created, the hash of its reads.</param>
internal sealed record ValidationOutcome(
    OptionsValidator Guard, IReadOnlyList<string> Failures, IReadOnlyDictionary<OptionsKey, string> Hashes)
{
    /// <summary>Whether the options were created before and their reads have not changed.</summary>
    public bool IsUnchanged(OptionsKey key) => Hashes.TryGetValue(key, out string? hash) && Guard.SeenHash(key) == hash;

    /// <summary>Makes these hashes the ones later releases are compared with.</summary>
    public void Commit() => Guard.See(Hashes);
}
