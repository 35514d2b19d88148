using System.Text;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Publishing;

/// <summary>What a publisher asked for, before anything was checked.</summary>
/// <param name="Application">The application.</param>
/// <param name="PublishId">The publisher's name for the publish.</param>
/// <param name="Expected">The newest release the publisher knows.</param>
/// <param name="Note">What changed and why.</param>
/// <param name="Keys">The keys; no key twice.</param>
internal sealed record PublishInput(
    string Application, Guid PublishId, ExpectedState Expected, string Note, IReadOnlyList<PublishInputKey> Keys)
{
    /// <summary>The publish itself: ids, numbers, the lists' own room.</summary>
    private const int FixedBytes = 512;

    /// <summary>A key besides its name: its length, its kind and where its value lies.</summary>
    private const int KeyBytes = 7;

    /// <summary>Where it came from, for distributed traces; null when that is not known.</summary>
    public TraceContext? Trace { get; init; }

    /// <summary>
    /// What its application demands of it besides: the refusal, or null. A pure function, asked off the core; null for an application that
    /// demands nothing.
    /// </summary>
    public Func<PublishInput, Refusal?>? Rules { get; init; }

    /// <summary>
    /// What it was judged against, asked again where the order is decided, with the state that it is ordered on: the refusal, or null. Null
    /// for one that holds on any state.
    /// </summary>
    public Func<ReleaseState, Refusal?>? Guard { get; init; }

    /// <summary>The bytes of its values.</summary>
    public long ValueBytes => Keys.Sum(k => (long)(k.Value?.Length ?? 0));

    /// <summary>Its approximate size without values: names, note and what goes with each.</summary>
    public long HeadBytes => HeadBytesOf(Note, Keys.Select(k => k.Key));

    /// <inheritdoc cref="HeadBytes"/>
    public static long HeadBytesOf(string note, IEnumerable<string> keys) =>
        FixedBytes + note.Length + keys.Sum(k => (long)Encoding.UTF8.GetByteCount(k) + KeyBytes);
}

/// <summary>One key of a publish.</summary>
/// <param name="Key">The key.</param>
/// <param name="Value">The new value; null removes the key. Must not be modified afterwards.</param>
internal sealed record PublishInputKey(string Key, ReadOnlyMemory<byte>? Value);
