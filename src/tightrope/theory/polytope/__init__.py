"""All private matrices: extreme points and rays, and what tells most at a level."""
