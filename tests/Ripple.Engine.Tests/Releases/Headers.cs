using System.Collections.Immutable;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

/// <summary>Headers for tests.</summary>
internal static class Headers
{
    public static ReleaseHeader First(params KeyChange[] changes) => After(ReleaseState.Empty("shop"), changes);

    public static ReleaseHeader After(ReleaseState state, params KeyChange[] changes)
    {
        ImmutableArray<KeyChange> sorted = [.. changes.OrderBy(c => c.Key, KeyOrder.Instance)];
        return Make(
            kind: state.Release == 0 ? ReleaseKind.Creation : ReleaseKind.Changes,
            application: state.Application,
            generation: Math.Max(1, state.Generation),
            release: state.Release + 1,
            previousId: state.Id,
            changes: sorted,
            stateRoot: state.Trie.Apply(sorted).Root);
    }

    public static ReleaseHeader Make(
        ReleaseKind kind = ReleaseKind.Changes,
        string application = "shop",
        uint generation = 1,
        ulong release = 1,
        uint slotEpoch = 7,
        Digest160 previousId = default,
        Guid publishId = default,
        string actor = "ann",
        long timeUnixMicros = 1_700_000_000_000_000,
        string note = "a note",
        ImmutableArray<KeyChange> changes = default,
        Digest160 stateRoot = default,
        byte[]? extension = null) => new()
        {
            Kind = kind,
            Application = application,
            Generation = generation,
            Release = release,
            SlotEpoch = slotEpoch,
            PreviousId = previousId,
            PublishId = publishId,
            Actor = actor,
            TimeUnixMicros = timeUnixMicros,
            Note = note,
            Changes = changes.IsDefault ? [] : changes,
            StateRoot = stateRoot,
            Extension = extension,
        };

    public static KeyChange Set(string key, string value) => KeyChange.Set(key, KeyForm.Bytes, System.Text.Encoding.UTF8.GetBytes(value));

    public static ReleaseHeader Random(Random random)
    {
        string[] alphabet = ["a", "B", "7", "/", "é", "\uE000", "\U0001F600"];
        var keys = new SortedSet<string>(KeyOrder.Instance);
        int count = random.Next(8);
        for (int i = 0; i < count; i++)
        {
            keys.Add(string.Concat(Enumerable.Range(0, random.Next(1, 12)).Select(_ => alphabet[random.Next(alphabet.Length)])));
        }

        bool first = random.Next(4) == 0;
        byte[] extension = new byte[random.Next(3) * 5];
        random.NextBytes(extension);
        return Make(
            (ReleaseKind)random.Next(3),
            "app-" + random.Next(1000),
            (uint)random.Next(1, int.MaxValue),
            first ? 1 : (ulong)random.NextInt64(2, long.MaxValue),
            (uint)random.Next(),
            first ? default : RandomDigest(random),
            new Guid(Enumerable.Range(0, 16).Select(_ => (byte)random.Next(256)).ToArray()),
            new string('x', random.Next(20)),
            random.NextInt64(),
            new string('é', random.Next(20)),
            [.. keys.Select(k => random.Next(3) == 0
                ? KeyChange.Remove(k)
                : KeyChange.Set(k, (KeyForm)random.Next(2), random.Next(1 << 20), RandomDigest(random)))],
            RandomDigest(random),
            extension);
    }

    public static Digest160 RandomDigest(Random random)
    {
        byte[] bytes = new byte[20];
        random.NextBytes(bytes);
        return Digest160.Read(bytes);
    }
}
