using System.Collections.Immutable;
using System.Globalization;
using Ripple.Testing.Checking;
using Ripple.Testing.Tracing;

namespace Ripple.Testing.Oracles;

/// <summary>A release as the world knows it, with the whole content it must have. Immutable.</summary>
/// <param name="Claim">Its number and name, as the system says.</param>
/// <param name="Previous">The release it follows; null for the first.</param>
/// <param name="Content">Every key and its bytes, computed by the model.</param>
/// <param name="CommittedNs">When it was announced, in simulated nanoseconds; <see cref="long.MaxValue"/> when it was only found on the
/// disk, so that the time of its commit is not known.</param>
internal sealed record ModelRelease(
    ReleaseClaim Claim, ModelRelease? Previous, ImmutableSortedDictionary<string, byte[]> Content, long CommittedNs) : IViolationSubject
{
    /// <summary>No keys.</summary>
    public static ImmutableSortedDictionary<string, byte[]> NoContent { get; } =
        ImmutableSortedDictionary.Create<string, byte[]>(StringComparer.Ordinal);

    /// <summary>The generation.</summary>
    public uint Generation => Claim.Generation;

    /// <summary>The release number.</summary>
    public ulong Release => Claim.Release;

    /// <summary>The name.</summary>
    public string Name => Claim.Name;

    /// <summary>How stories and timelines name it.</summary>
    public ReleaseLabel Label => Claim.Label;

    /// <summary>The release of a number at or before this one, on the same chain; null for none.</summary>
    public ModelRelease? At(ulong release)
    {
        ModelRelease? at = this;
        while (at is not null && at.Release > release)
        {
            at = at.Previous;
        }

        return at?.Release == release ? at : null;
    }

    /// <summary>Whether a newer release than this one, in a later generation or of a higher number.</summary>
    public bool IsBefore(ModelRelease other) =>
        Generation < other.Generation || (Generation == other.Generation && Release < other.Release);

    /// <summary>Whether a release is not among so many newest ones, of which this is the last; false for null.</summary>
    public bool LeavesBehind(ulong? release, ulong count) => release is { } number && number <= Release && Release - number >= count;

    /// <summary>Null if the values are exactly the content; otherwise the first difference.</summary>
    /// <param name="values">The values.</param>
    /// <param name="isWanted">Which keys of the content must be there; null for all.</param>
    public string? Difference(IEnumerable<KeyValuePair<string, ReadOnlyMemory<byte>>> values, Func<string, bool>? isWanted = null)
    {
        int count = 0;
        foreach ((string key, ReadOnlyMemory<byte> value) in values)
        {
            count++;
            if (!Content.TryGetValue(key, out byte[]? bytes) || isWanted?.Invoke(key) == false)
            {
                return $"{key} is there and should not be";
            }

            if (!value.Span.SequenceEqual(bytes))
            {
                return string.Create(
                    CultureInfo.InvariantCulture, $"{key} has {value.Length} bytes other than the {bytes.Length} published ones");
            }
        }

        int wanted = isWanted is null ? Content.Count : Content.Keys.Count(isWanted);
        return count == wanted ? null : string.Create(CultureInfo.InvariantCulture, $"{count} of {wanted} keys are there");
    }

    /// <inheritdoc/>
    public override string ToString() => Label.ToString();

    void IViolationSubject.AddTo(ViolationSubject subject) => subject.AddRelease(Label);
}
