namespace Ripple.Gms.Server;

/// <summary>What a host says of its health.</summary>
/// <param name="IsWell">False if it does not serve nodes: 503.</param>
/// <param name="Text">A word or a sentence, for people; further lines say more.</param>
internal readonly record struct HealthAnswer(bool IsWell, string Text);
