namespace Ripple.Admin.Contracts;

/// <summary>Creates an application.</summary>
/// <param name="Name">1 to 100 of <c>a-z 0-9 . _ -</c>, starting with a letter or digit.</param>
public sealed record CreateApplicationRequest(string Name);
