using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

namespace Ripple.Load.Push;

/// <summary>A value that says which publish it is of, and carries a hash of itself.</summary>
internal static class LoadValue
{
    /// <summary>The shortest there can be.</summary>
    public const int BytesMin = sizeof(long) + SHA256.HashSizeInBytes;

    public const string Key = "load";

    /// <summary>The key of values that become options.</summary>
    public const string SettingsKey = Key + ".json";

    /// <summary>What the JSON of the settings takes beside their content.</summary>
    private const int SettingsBytesBeside = 120;

    private static readonly ConditionalWeakTable<byte[], StrongBox<int>> Checked = [];

    public static byte[] Make(int publish, int bytes)
    {
        byte[] value = new byte[bytes];
        RandomNumberGenerator.Fill(value);
        return Seal(publish, value);
    }

    /// <summary>Writes into a value what it is of, and its hash.</summary>
    public static byte[] Seal(int publish, byte[] value)
    {
        Span<byte> content = value.AsSpan(0, value.Length - SHA256.HashSizeInBytes);
        BinaryPrimitives.WriteInt64LittleEndian(content, publish);
        SHA256.HashData(content, value.AsSpan(content.Length));
        return value;
    }

    /// <summary>The same as a JSON document that binds to <see cref="LoadSettings"/>, of about that many bytes.</summary>
    public static byte[] MakeSettings(int publish, int bytes)
    {
        string content = Convert.ToHexString(RandomNumberGenerator.GetBytes(Math.Max(1, (bytes - SettingsBytesBeside) / 2)));
        return JsonSerializer.SerializeToUtf8Bytes(
            new LoadSettings { Publish = publish, Content = content, Hash = HashOf(publish, content) });
    }

    /// <summary>The number of the publish; -1 for settings that are not as they were made.</summary>
    public static int Check(LoadSettings settings) => settings.Hash == HashOf(settings.Publish, settings.Content) ? settings.Publish : -1;

    /// <summary>
    /// The same for a value in memory that nodes of a process share: what was checked there once is not changed by anybody.
    /// </summary>
    public static int Check(ReadOnlyMemory<byte> value) =>
        MemoryMarshal.TryGetArray(value, out ArraySegment<byte> segment) && segment.Offset == 0 && segment.Count == segment.Array!.Length
            ? Checked.GetValue(segment.Array, static array => new StrongBox<int>(Check(array.AsSpan()))).Value
            : Check(value.Span);

    private static string HashOf(int publish, string content) =>
        Convert.ToHexString(SHA256.HashData(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{publish}:{content}"))));

    /// <summary>The number of the publish; -1 for a value that is not as it was made.</summary>
    public static int Check(ReadOnlySpan<byte> value)
    {
        if (value.Length < BytesMin)
        {
            return -1;
        }

        ReadOnlySpan<byte> content = value[..^SHA256.HashSizeInBytes];
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(content, hash);
        return hash.SequenceEqual(value[content.Length..]) ? (int)BinaryPrimitives.ReadInt64LittleEndian(content) : -1;
    }
}
