using System.Globalization;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>
/// The newest release that a publisher knows. A number alone names a release of whatever generation is the present one, so that it may mean
/// another release after a restore; with its generation it means one release for ever.
/// </summary>
/// <param name="Generation">Its generation; 0 for any.</param>
/// <param name="Release">The release; 0 for none yet, <see cref="ulong.MaxValue"/> for any.</param>
internal readonly record struct ExpectedState(uint Generation, ulong Release)
{
    /// <summary>Matches whatever is the newest.</summary>
    public static ExpectedState Any => new(0, PublishBegin.AnyRelease);

    /// <summary>Whether it matches whatever is the newest.</summary>
    public bool IsAny => Release == PublishBegin.AnyRelease;

    /// <summary>A number alone.</summary>
    public static implicit operator ExpectedState(ulong release) => new(0, release);

    /// <summary>What a publisher said; null for any.</summary>
    public static ExpectedState Of(uint? generation, ulong? release) =>
        release is { } number ? new ExpectedState(generation ?? 0, number) : Any;

    /// <summary>Whether this is the newest release. "None yet" is the same in every generation.</summary>
    public bool Matches(uint generation, ulong release) =>
        IsAny || (Release == release && (Generation == 0 || Release == 0 || Generation == generation));

    /// <summary>Reads one from a message.</summary>
    public static ExpectedState Read(ref WireReader reader)
    {
        uint generation = reader.ReadU32();
        return new ExpectedState(generation, reader.ReadU64());
    }

    /// <summary>Writes it into a message.</summary>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
    }

    /// <summary>As people write it: <c>2/101</c>, or the number alone.</summary>
    public override string ToString() => (IsAny, Generation) switch
    {
        (true, _) => "any",
        (_, 0) => Release.ToString(CultureInfo.InvariantCulture),
        _ => string.Create(CultureInfo.InvariantCulture, $"{Generation}/{Release}"),
    };
}
