namespace Ripple.Engine.Releases;

/// <summary>How to interpret a value. The numbers are part of every stored header.</summary>
internal enum KeyForm
{
    /// <summary>Any bytes; never interpreted.</summary>
    Bytes = 0,

    /// <summary>A JSON document that .NET's configuration accepts; kept byte for byte, including comments and order.</summary>
    Json = 1,
}
