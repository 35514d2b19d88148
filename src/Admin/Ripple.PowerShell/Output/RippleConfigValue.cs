using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Output;

/// <summary>A key and its value at a release. Piping it to <c>Publish-RippleRelease</c> publishes it unchanged.</summary>
public sealed class RippleConfigValue
{
    internal RippleConfigValue(string application, KeyInfo key, KeyContent content)
    {
        Application = application;
        Key = content.Key;
        Value = ValueText.Of(content.Bytes);
        Release = content.Release;
        Generation = content.Generation;
        LengthBytes = content.Bytes.Length;
        IsJson = key.IsJson;
        Digest = key.Digest;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>The key.</summary>
    public string Key { get; }

    /// <summary>A string if the bytes are UTF-8, otherwise a byte array.</summary>
    public object Value { get; }

    /// <summary>The release it was read at.</summary>
    public ulong Release { get; }

    /// <summary>The generation of that release.</summary>
    public uint Generation { get; }

    /// <summary>The size of the value, in bytes.</summary>
    public int LengthBytes { get; }

    /// <summary>Whether the host checks that the value is JSON.</summary>
    public bool IsJson { get; }

    /// <summary>The digest of the value, 40 hexadecimal digits.</summary>
    public string Digest { get; }
}
