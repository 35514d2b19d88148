namespace Ripple.Extensions.Hosting.Validation;

/// <summary>What a container's options say of a release.</summary>
/// <param name="Guard">Whose options.</param>
/// <param name="Failures">What is wrong, for people, without values; empty when nothing is.</param>
/// <param name="Hashes">What each options object that could be made has read, as a hash.</param>
internal sealed record ValidationOutcome(
    OptionsValidator Guard, IReadOnlyList<string> Failures, IReadOnlyDictionary<OptionsKey, string> Hashes)
{
    /// <summary>True when the options were made before and read the same.</summary>
    public bool IsUnchanged(OptionsKey key) => Hashes.TryGetValue(key, out string? hash) && Guard.SeenHash(key) == hash;

    /// <summary>Later releases are compared with this one.</summary>
    public void Commit() => Guard.See(Hashes);
}
