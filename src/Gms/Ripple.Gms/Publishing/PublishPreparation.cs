using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Publishing;

/// <summary>Checks and digests a publish. A pure function; any thread.</summary>
internal static class PublishPreparation
{
    /// <summary>Prepares a publish; null with a refusal if its content is invalid.</summary>
    public static PreparedPublish? Prepare(PublishInput input, out Refusal? refusal)
    {
        refusal = Check(input) ?? input.Rules?.Invoke(input);
        if (refusal is not null)
        {
            return null;
        }

        var changes = new List<KeyChange>(input.Keys.Count);
        var bodies = new SortedDictionary<Digest160, StoredBody>();
        foreach (PublishInputKey key in input.Keys.OrderBy(k => k.Key, KeyOrder.Instance))
        {
            if (key.Value is not { } value)
            {
                changes.Add(KeyChange.Remove(key.Key));
                continue;
            }

            bool isJson = key.Key.EndsWith(".json", StringComparison.OrdinalIgnoreCase);
            if (isJson && CheckJson(key.Key, value.Span) is { } error)
            {
                refusal = new Refusal(
                    ErrorCode.InvalidJson, $"The value of '{key.Key}' is not what .NET's JSON configuration provider accepts: {error}");
                return null;
            }

            if (JsonExpansion.IsTooLong(value.Span))
            {
                refusal = new Refusal(
                    ErrorCode.InvalidJson,
                    $"The value of '{key.Key}' is JSON, and its configuration paths would be far longer than itself. "
                    + "Shorten the names of its sections.");
                return null;
            }

            ContentManifest manifest = ContentDigest.Describe(value.Span);
            changes.Add(KeyChange.Set(key.Key, isJson ? KeyForm.Json : KeyForm.Bytes, value.Length, manifest.Digest));
            bodies[manifest.Digest] = new StoredBody(manifest.Digest, value)
            {
                Manifest = value.Length >= ReleaseMessage.StreamedBytesMin ? manifest : null,
            };
        }

        return new PreparedPublish(input, [.. changes], [.. bodies.Values], Hash(changes, input.Note));
    }

    // What is spread at the root needs names. Which key that is a process may choose; this is what it is when none is chosen.
    private static string? CheckJson(string key, ReadOnlySpan<byte> document) =>
        key == "appsettings.json" ? JsonForm.Check(document) : JsonForm.CheckBelowSection(document);

    private static Refusal? Check(PublishInput input)
    {
        if (CompanionName.CheckReleased(input.Application) is { } badApplication)
        {
            return new Refusal(ErrorCode.InvalidRequest, badApplication);
        }

        if (input.Keys.Count is 0 or > ReleaseLimits.ChangesMax)
        {
            return Refuse($"A publish has 1 to {ReleaseLimits.ChangesMax} keys; this one has {input.Keys.Count}. Publish in parts.");
        }

        if (Encoding.UTF8.GetByteCount(input.Note) > ReleaseLimits.NoteBytesMax)
        {
            return Refuse($"The note is longer than {ReleaseLimits.NoteBytesMax} bytes. Shorten it.");
        }

        if (PublishText.CheckNote(input.Note) is { } badNote)
        {
            return new Refusal(ErrorCode.InvalidRequest, badNote);
        }

        bool isCompanion = CompanionName.OwnerOf(input.Application) is not null;
        long total = 0;
        var seen = new SortedSet<string>(KeyOrder.Instance);
        foreach (PublishInputKey key in input.Keys)
        {
            if ((key.Value is null ? ReleaseNames.CheckKey(key.Key) : PublishText.CheckKey(key.Key)) is { } badKey)
            {
                return new Refusal(ErrorCode.InvalidRequest, badKey);
            }

            // Definitions are no configuration, and have rules of their own.
            if (key.Value is not null && !isCompanion && PublishText.CheckSections(key.Key) is { } stray)
            {
                return new Refusal(ErrorCode.InvalidRequest, stray);
            }

            if (!seen.Add(key.Key))
            {
                return Refuse($"The key '{key.Key}' is in the publish twice. Give each key once.");
            }

            if (key.Value is { Length: > ReleaseLimits.BodyBytesMax } tooLong)
            {
                return TooLarge($"The value of '{key.Key}' has {tooLong.Length} bytes; at most {ReleaseLimits.BodyBytesMax} are allowed. Split it over several keys.");
            }

            total += key.Value?.Length ?? 0;
        }

        return total > ReleaseLimits.PublishBytesMax
            ? TooLarge($"The values have {total} bytes together; a publish has at most {ReleaseLimits.PublishBytesMax}. Publish in parts.")
            : null;
    }

    private static Refusal Refuse(FormattableString text) => new(ErrorCode.InvalidRequest, text.ToString(CultureInfo.InvariantCulture));

    private static Refusal TooLarge(FormattableString text) => new(ErrorCode.TooLarge, text.ToString(CultureInfo.InvariantCulture));

    private static Digest160 Hash(List<KeyChange> changes, string note)
    {
        // Upper bound: the note with its length, and for each change its key, operation and digest, each rounded up.
        const int ChangeBytes = 64;
        byte[] buffer = new byte[ReleaseLimits.NoteBytesMax + 16 + (changes.Count * (ReleaseLimits.KeyBytesMax + ChangeBytes))];
        var writer = new WireWriter(buffer);
        writer.WriteText16(note);
        foreach (KeyChange change in changes)
        {
            writer.WriteText16(change.Key);
            writer.WriteU8((byte)change.Operation);
            change.Digest.Write(writer.Take(Digest160.Size));
        }

        return Digest160.Hash("ripple/publish/1"u8, writer.Written);
    }
}

/// <summary>A publish whose content was checked and digested, independently of the application's state.</summary>
/// <param name="Input">The request.</param>
/// <param name="Changes">The changes, in the order of keys.</param>
/// <param name="Bodies">The values, one per digest.</param>
/// <param name="BodyHash">Hash of the content. A publish id used again with another hash is refused.</param>
internal sealed record PreparedPublish(
    PublishInput Input, ImmutableArray<KeyChange> Changes, IReadOnlyList<StoredBody> Bodies, Digest160 BodyHash)
{
    /// <summary>
    /// Computes the changes against the state they are ordered on, when they depend on it; null to use <see cref="Changes"/>. Earlier
    /// publishes may still be on their way to the disk, so that state is known only at ordering. Core thread; a pure function.
    /// </summary>
    public Func<ReleaseState, ImmutableArray<KeyChange>>? ChangesOn { get; init; }

    /// <summary>The past release whose values it needs, which must still be kept when it is ordered; null for none.</summary>
    public ulong? BackTo { get; init; }
}

/// <summary>Checks and digests publishes off the core thread, for which it is too much work.</summary>
internal interface IPublishPreparer
{
    /// <summary>
    /// Prepares outside the core. Exactly one argument of <paramref name="done"/> is not null; it runs on the preparer's thread. False when
    /// too many are in progress; try again later.
    /// </summary>
    bool TryPrepare(PublishInput input, Action<PreparedPublish?, Refusal?> done);
}

/// <summary>
/// The rules for the texts of a new release. Stricter than <see cref="ReleaseNames"/>, which must accept every release there is: whoever
/// looks at a key or a note must see what it is. Null when the text is valid, otherwise the error and what to do about it.
/// </summary>
internal static class PublishText
{
    private const string JsonSuffix = ".json";

    /// <summary>Checks a key that gets a value. One that is removed may be what was accepted before.</summary>
    public static string? CheckKey(string key) =>
        ReleaseNames.CheckKey(key) ?? Say("key", ShownText.FindHiddenInName(key));

    /// <summary>Checks a note.</summary>
    public static string? CheckNote(string note) =>
        ReleaseNames.CheckNote(note) ?? Say("note", ShownText.FindHidden(note, allowsLines: true));

    /// <summary>
    /// Checks that each section of a key that gets a value has a name. A stray separator makes a path that nobody reads: <c>/Shop/Max</c>
    /// would be <c>:Shop:Max</c>. Null if they do, else the error.
    /// </summary>
    public static string? CheckSections(string key)
    {
        bool isJson = key.Length > JsonSuffix.Length && key.EndsWith(JsonSuffix, StringComparison.OrdinalIgnoreCase);
        string end = isJson ? key[^JsonSuffix.Length..] : "";
        string path = key[..^end.Length];
        var meant = new StringBuilder(key.Length);
        bool isStray = false;
        for (int i = 0; i < path.Length; i++)
        {
            bool isSeparator = path[i] is '/' or ':';
            bool endsName = meant.Length > 0 && meant[^1] is not ('/' or ':');
            isStray |= isSeparator && (!endsName || i == path.Length - 1);
            if (!isSeparator || endsName)
            {
                meant.Append(path[i]);
            }
        }

        if (!isStray)
        {
            return null;
        }

        string name = meant.ToString().TrimEnd('/', ':');
        return $"The key '{key}' has a section without a name, so that no configuration finds it. "
            + (name.Length > 0 ? $"Write '{name}{end}'." : "Name each section.");
    }

    private static string? Say(string what, (int Index, int Value)? hidden) => hidden is not { } found
        ? null
        : string.Create(
            CultureInfo.InvariantCulture,
            $"The {what} has a character that is not shown (U+{found.Value:X4}) at position {found.Index + 1}. Remove it.");
}
